/** Writes into `stackyard/account-hono` what it shares with `stackyard/account`; `--check` only compares. */
import { join } from 'node:path';
import { readdirSync, readFileSync } from 'node:fs';
import { runUpdate, type GeneratedFile } from './generated-file.ts';
import { MANIFEST_FILE } from '../format/build/build-files.ts';
import { declaredVersion } from '../format/build/manifest.ts';
import { readMainLine } from '../generator/git/history.ts';
import { ObjectReader } from '../generator/git/object-reader.ts';
import { readDeclaredVersion } from '../generator/git/publication.ts';
import { openRepository } from '../generator/git/repository.ts';
import { readSource } from '../generator/git/source.ts';

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

/**
 * Files that two of our builds publish, byte for byte: the folder of the first build is their only source. What the
 * second has is bound to one version of the first, so that the first can be developed further without the second.
 */
interface SharedFiles {
  /** The build that is the source, and its version from which the files are. */
  readonly from: string;
  readonly version: string;
  /** Files of the source that stay there. Its tests do, too. */
  readonly notShared: readonly string[];
  /** Its tests that are shared all the same. */
  readonly tests: readonly string[];
  /** The build that publishes the files as well, and what is its own there. */
  readonly to: string;
  readonly own: readonly string[];
}

/** What the second build has to hold. */
interface SharedState {
  readonly files: readonly GeneratedFile[];
  /** Files in the second build that are neither shared nor its own. */
  readonly leftOver: readonly string[];
  /** The version of the source in the working tree, where its shared files differ from those of `version`. */
  readonly newer: string | undefined;
}

type Texts = ReadonlyMap<string, string>;

/**
 * Compares the builds in the repository at `root`. The files are those of the working tree when it has `version`, else those of
 * the commit that published it.
 * @throws {Error} when the history has no such version
 */
export async function readSharedFiles(root: string, shared: SharedFiles): Promise<SharedState> {
  const folder = join(root, 'builds', shared.from);
  const current = declaredVersion(readFileSync(join(folder, MANIFEST_FILE)));
  const working = select(shared, workingTexts(folder));
  const isCurrent = current === shared.version;
  const texts = isCurrent ? working : select(shared, await publishedTexts(root, shared));
  const files = [...texts].map(([name, text]) => ({ path: `builds/${shared.to}/${name}`, text }));
  const present = readdirSync(join(root, 'builds', shared.to));
  return {
    files,
    leftOver: present.filter((name) => !texts.has(name) && !shared.own.includes(name)),
    newer: isCurrent || isSame(working, texts) ? undefined : current,
  };
}

function select({ notShared, tests }: SharedFiles, texts: Texts): Texts {
  const isShared = (name: string): boolean => {
    if (!name.endsWith('.ts') || notShared.includes(name)) return false;
    return !name.endsWith('.test.ts') || tests.includes(name);
  };
  return new Map([...texts].filter(([name]) => isShared(name)));
}

function workingTexts(folder: string): Texts {
  const names = readdirSync(folder).filter((name) => name.endsWith('.ts'));
  return new Map(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

async function publishedTexts(root: string, { from, version }: SharedFiles): Promise<Texts> {
  const repository = await openRepository(root);
  const reader = new ObjectReader(root);
  try {
    const folder = `builds/${from}`;
    for await (const { changes } of readMainLine(repository, [folder])) {
      const tree = changes.find(
        ({ path, mode }) => mode === '040000' && path.equals(Buffer.from(folder)),
      );
      if (tree === undefined || (await readDeclaredVersion(reader, tree.oid)) !== version) continue;
      const { files } = await readSource(reader, tree.oid);
      return new Map(files.map(({ path, bytes }) => [path, Buffer.from(bytes ?? []).toString()]));
    }
  } finally {
    reader.close();
  }
  throw new Error(`Cannot find version "${version}" of "${from}" in the history`);
}

function isSame(a: Texts, b: Texts): boolean {
  return a.size === b.size && [...a].every(([name, text]) => b.get(name) === text);
}
