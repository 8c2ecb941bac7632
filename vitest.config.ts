import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongFirst } from './tests/run/long-first.ts';

/**
 * Take minutes: every step of a kill, a store that fails for a minute, thousands of commits, hosts with slow hashes, real
 * formatters, pages and visits in a browser, starters, the tutorial and a registry of its own with real packages,
 * failing databases, large universes, packed packages, hosts that lie, rules and results of other versions of the software. Of what they
 * test, the short tests have the main cases.
 */
const LONG = [
  'tests/generate/{cosign,history,index-lock,kept-log,kept-results,log-reader,log-vectors,one-unicode,page-order,rule-changes,scan-ends,shadcn,withdrawals}.test.ts',
  'tests/site/{browser,guides,hostile,picture,real-builds,search,search-queries,source,source-hostile,source-visit,visit}.test.ts',
  'tests/{metamorphic,packed-check.long}.test.ts',
  'tests/auth/{account-update,failures,postgres-build,postgres-store}.test.ts',
  'tests/{auth,modules}/*.long.test.ts',
  'tests/fleet/organisation.test.ts',
  'tests/tutorial.test.ts',
  'tests/foundations/{account-project,express-api,fastapi-api,hono-api,package-managers}.test.ts',
  'tests/deploy/{kept-state,kept-state-pages,kill,operate,outage,refusals,store-faults,swift,take-down-scale}.test.ts',
  'tests/ship/{backstage,hosts,own-registry,package,private-registry,registry-package,renovate,runners,shadcn}.test.ts',
  'tests/client/{conventions,formatters,hostile-host,kill,mcp-projects,moved-files,local-sources,log-caches,update-hosts,log-policy,package-locks,workspaces,resolver-families}.test.ts',
  'tests/matrix/{matrix-command,real-packages}.test.ts',
  'tests/publish/{appeal,deploy-scripts,forms,gate-advisories,gate-blocks,gate-bounds,gate-model,gate-owners}.test.ts',
  'tests/publish/{gate-tree-modes,ingest-memory,publish-and-install,publish-content,rejections}.test.ts',
  'tests/publish/{ci-verify,end-to-end,file-matrix,form-statement,gate-withdrawals,hostile-service,poisoned-index}.test.ts',
  'tests/publish/{waiting,waiting-shared-commits,withdraw-and-state}.test.ts',
];

/** Those that `tests/run/runs.ts` gives more material here than in the other projects. */
const DEEP = [
  'scan/autorun/editors.test.ts',
  'scan/bounds.test.ts',
  'scan/parse/syntax.test.ts',
  'scan/rules/content-checks.test.ts',
  'scan/taint/analyse.test.ts',
  'scan/text/hidden-characters.test.ts',
  'client/edit/compare/first-party.test.ts',
  'client/apply/project-lock.test.ts',
  'client/apply/undo.test.ts',
  'client/apply/transaction.test.ts',
  'client/edit/merge/conflict-markers.test.ts',
  'client/edit/merge/merge-text.test.ts',
  'client/plan/place/place-builds.test.ts',
  'client/plan/plan-round-trip.test.ts',
  'client/resolve/best-solution.test.ts',
  'client/resolve/head-versions.test.ts',
  'client/resolve/resolver.test.ts',
  'client/plan/place/editor-move.test.ts',
  'format/archive/tarball.test.ts',
  'format/build/file-glob.test.ts',
  'format/build/file-path.test.ts',
  'format/build/manifest.test.ts',
  'generator/site/search/search-builds.test.ts',
  'tests/client/new.test.ts',
  'tests/generate/kill.test.ts',
  'tests/generate/program.test.ts',
  'tests/publish/ci-reports.test.ts',
  'tests/scripts.test.ts',
];

/** Of the script tests those with one case there and all of them here. */
const MATRICES = [
  'tests/auth/service.test.ts',
  'tests/auth/service-account.test.ts',
  'tests/client/sqlite-project.test.ts',
  'tests/publish/service-reports.test.ts',
];

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
          include: ['{format,scan,generator,client,auth-service,tools}/**/*.test.ts'],
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
          exclude: [...LONG, 'tests/host/**'],
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
          provide: { isLong: true },
          include: [...LONG, ...DEEP, ...MATRICES],
          testTimeout: 600_000,
          hookTimeout: 600_000,
          expect: POLL,
        },
      },
    ],
  },
});
