/**
 * README.md and docs/tutorial.md: their commands are run and must print what the pages show.
 * `npx vitest run --project script tests/documents.test.ts -u` writes the real output into the pages: read it.
 */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { findFreePort } from '../tools/free-port.ts';
import { formatDocument, parseDocument } from './documents/document.ts';
import { runDocument } from './documents/run-document.ts';
import { startShell } from './documents/shell.ts';
import type { Shell } from './documents/shell.ts';
import { ourRegistry, projectEnvironment } from './foundations/our-registry.ts';
import './run/global-setup.ts';

const ROOT = join(import.meta.dirname, '..');
const registry = ourRegistry();
let home = '';
let port = 0;
const shells: Shell[] = [];

beforeAll(async () => {
  home = join(realpathSync(registry.folder()), 'home');
  port = await findFreePort();
  prepareHome();
});
afterAll(async () => {
  for (const shell of shells) await shell.close();
});

test('README.md shows what its commands print', async () => {
  const project = join(home, 'readme/my-app');
  mkdirSync(project, { recursive: true });
  const manifest = { type: 'module', devDependencies: { typescript: '^7.0.2' } };
  writeFileSync(join(project, 'package.json'), JSON.stringify(manifest));
  await expect(await run('README.md', project)).toMatchFileSnapshot(join(ROOT, 'README.md'));
});

test('docs/tutorial.md shows what its commands print', { timeout: 300_000 }, async () => {
  const page = join(ROOT, 'docs/tutorial.md');
  await expect(await run('docs/tutorial.md', home)).toMatchFileSnapshot(page);
});

async function run(page: string, folder: string): Promise<string> {
  const environment = projectEnvironment();
  const shell = startShell(folder, {
    ...environment,
    HOME: home,
    PATH: `${join(home, 'bin')}${delimiter}${environment['PATH']}`,
    PORT: String(port),
    STACKYARD_REGISTRY: registry.url(),
    STACKYARD_CACHE: join(home, 'cache'),
    STACKYARD_STATE: join(home, 'state'),
    npm_config_cache: process.env['npm_config_cache'] ?? join(homedir(), '.npm'),
    CI: '',
    GITHUB_TOKEN: '',
  });
  shells.push(shell);
  const names = [
    ['http://127.0.0.1:4173', registry.url()],
    ['http://localhost:3000', `http://localhost:${port}`],
    ['/home/me', home],
  ] as const;
  const document = parseDocument(readFileSync(join(ROOT, page), 'utf8'));
  return formatDocument(await runDocument(document, { shell, folder, names }));
}

/** A home folder with the program `stackyard`, a name for git, and a clone of this repository. */
function prepareHome(): void {
  mkdirSync(join(home, 'bin'), { recursive: true });
  const program = join(home, 'bin/stackyard');
  // The Node.js of the reader: the client judges projects by it, and not by that of this repository.
  symlinkSync(process.execPath, join(home, 'bin/node'));
  writeFileSync(
    program,
    `#!/bin/sh\nexec "${process.execPath}" "${inject('programs').client}" "$@"\n`,
  );
  chmodSync(program, 0o755);
  writeFileSync(join(home, '.gitconfig'), '[user]\n\tname = Me\n\temail = me@example.org\n');
  const clone = join(home, 'stackyard');
  execFileSync('git', ['clone', '-q', ROOT, clone]);
  execFileSync('git', ['checkout', '-q', '-B', 'main'], { cwd: clone });
  symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
}
