/** Writes into `stackyard/account-hono` what it shares with `stackyard/account`; `--check` only compares. */
import { join } from 'node:path';
import { runUpdate } from './generated-file.ts';
import { readSharedFiles, type SharedFiles } from './shared-files.ts';

/**
 * To take over a newer version: set `version`, raise the version in the manifest of `to`, and run `npm run write`.
 */
export const ACCOUNT_HONO: SharedFiles = {
  from: 'stackyard/account',
  version: '2.2.1',
  notShared: [
    'account-router.ts',
    'account.ts',
    'auth-user.ts',
    'body-errors.ts',
    'drain-request.ts',
    'express-answer.ts',
    'express-request.ts',
    'express-routes.ts',
    'index.ts',
    'json-body.ts',
    'recovery.ts',
    'require-auth.ts',
    'test-app.ts',
  ],
  tests: [
    'account-model.test.ts',
    'change-password.test.ts',
    'email-verification.test.ts',
    'login.test.ts',
    'logout.test.ts',
    'me.test.ts',
    'overload.test.ts',
    'password-reset.test.ts',
    'recovery-dependencies.test.ts',
    'register.test.ts',
  ],
  to: 'stackyard/account-hono',
  own: [
    'INTEGRATION.md',
    'LICENSE',
    'README.md',
    'account-router.test.ts',
    'account-router.ts',
    'account.test.ts',
    'account.ts',
    'auth-user.ts',
    'hono-answer.ts',
    'hono-body.test.ts',
    'hono-body.ts',
    'hono-request.test.ts',
    'hono-request.ts',
    'hono-routes.ts',
    'index.ts',
    'large-body.test.ts',
    'recovery.ts',
    'require-auth.test.ts',
    'require-auth.ts',
    'sessions.test.ts',
    'stackyard.json',
    'test',
    'test-app.ts',
  ],
};

if (import.meta.main) {
  const { from, version, to } = ACCOUNT_HONO;
  const state = await readSharedFiles(join(import.meta.dirname, '..'), ACCOUNT_HONO);
  runUpdate(state.files, 'node tools/write-shared-files.ts');
  for (const name of state.leftOver) {
    console.error(`error: builds/${to}/${name} is not in ${from} ${version}`);
    console.error('hint: delete it, or add it to "own" in tools/write-shared-files.ts');
    process.exitCode = 1;
  }
  if (state.newer !== undefined) {
    console.log(
      `note: ${to} has the files of ${from} ${version}, and those of ${state.newer} differ`,
    );
    console.log(
      `note: set "version" in tools/write-shared-files.ts, run npm run write, and publish a new version of ${to}`,
    );
  }
}
