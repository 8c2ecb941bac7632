import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Stories mostly wait for programs that they start: more workers than that keep two processors busy.
    maxWorkers: Math.max(3, availableParallelism()),
    projects: [
      {
        test: {
          name: 'unit',
          // Nothing is timed; a slow machine shall not fail what is right.
          testTimeout: 60_000,
          include: [
            '{format,generator,client,auth-service,tools}/**/*.test.ts',
            'builds/stackyard/{sqlite,account}/**/*.test.ts',
          ],
        },
      },
      {
        test: {
          name: 'story',
          include: ['tests/**/*.test.ts'],
          // What is judged there is not ours to run.
          exclude: ['tests/{builds,corpus}/*/**'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
