import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongFirst } from './tests/run/long-first.ts';

/** Take minutes: kills at every step, long histories, other hosts, package managers, databases and browsers. */
const LONG = '**/*.long.test.ts';

const UNIT = ['{format,scan,generator,client,auth-service,tools}/**/*.test.ts'];

/** Nothing is timed; a slow machine shall not fail what is right. */
const POLL = { poll: { timeout: 60_000 } };

const SETUP = ['tests/run/global-setup.ts'];

export default defineConfig({
  test: {
    // Script tests mostly wait for programs that they start: more workers than that keep two processors busy.
    maxWorkers: Math.max(4, availableParallelism()),
    sequence: { sequencer: LongFirst },
    projects: [
      {
        test: {
          name: 'unit',
          globalSetup: SETUP,
          // These files share no state: a new process for each would load the same modules hundreds of times.
          isolate: false,
          testTimeout: 120_000,
          include: UNIT,
          exclude: [LONG],
        },
      },
      {
        test: {
          // The unit tests again, with all of the material that `runs()` and `some()` take a part of.
          name: 'deep',
          globalSetup: SETUP,
          provide: { isDeep: true },
          isolate: false,
          testTimeout: 600_000,
          include: UNIT,
          exclude: [LONG],
        },
      },
      {
        test: {
          name: 'build',
          globalSetup: SETUP,
          expect: POLL,
          // Isolated: builds of one database have it, and its options, in common.
          testTimeout: 120_000,
          include: [
            'builds/stackyard/{sql,sqlite,postgres,account,better-auth,module-routes,mail,jobs,uploads}/**/*.test.ts',
          ],
        },
      },
      {
        test: {
          name: 'script',
          globalSetup: SETUP,
          // As above; the process of `runResident()` stays for the next file as well.
          isolate: false,
          unstubEnvs: true,
          include: ['tests/**/*.test.ts'],
          exclude: [LONG, 'tests/host/**'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: POLL,
        },
      },
      {
        test: {
          name: 'host',
          globalSetup: SETUP,
          include: ['tests/host/**/*.test.ts'],
          testTimeout: 3_600_000,
        },
      },
      {
        test: {
          name: 'long',
          globalSetup: SETUP,
          include: [`tests/${LONG}`],
          testTimeout: 600_000,
          hookTimeout: 600_000,
          expect: POLL,
        },
      },
    ],
  },
});
