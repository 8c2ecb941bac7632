/** The registry of all script tests: real commits, the real generator, a real HTTP server. */
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateDocuments } from '../generate/generate-documents.ts';
import { serveIndex } from '../../generator/serve/serve-index.ts';
import { advisoryFile, affects } from '../advisories/advisory-fixture.ts';
import { GitFixture, build } from '../generate/git-fixture.ts';

export interface ScriptRegistry {
  readonly url: string;
  /** The repository that it was generated from; script tests get clones. */
  readonly repository: string;
  readonly close: () => void;
}

export async function startScriptRegistry(): Promise<ScriptRegistry> {
  const root = mkdtempSync(join(tmpdir(), 'stackyard-registry-'));
  const git = new GitFixture(mkdtempSync(join(root, 'git-')));
  publishAll(git);
  const index = join(root, 'index');
  await generateDocuments({ repo: git.folder, out: index, threads: 1 });
  const server = await serveIndex(index, 0);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    repository: git.folder,
    close: () => {
      server.closeAllConnections();
      server.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

function publishAll(git: GitFixture): void {
  publishStore(git);
  publishWeb(git);
  publishStarter(git);
  publishOthers(git);
  git.commit({
    'builds/bob/owner.json': JSON.stringify({ yanked: { store: { '1.1.0': 'Loses rows' } } }),
    'builds/dave/owner.json': JSON.stringify({
      deprecated: { pages: { reason: 'No longer cared for', replacement: 'alice/web' } },
    }),
    ...measured(),
    ...advisoryFile({ affected: affects('bob/store', '0', '1.1.0'), aliases: ['CVE-2026-0001'] }),
  });
}

/** `bob/store`: three versions, of which one is yanked; others require it. */
function publishStore(git: GitFixture): void {
  const common = {
    description: 'Keeps rows in memory',
    keywords: ['storage'],
    stack: { provides: ['storage'] },
    base: 'src/store',
    files: ['store.ts'],
  };
  for (const [version, note] of [
    ['1.0.0', ''],
    ['1.1.0', '// Faster.\n'],
    ['1.2.0', '// Faster, and keeps every row.\n'],
  ] as const) {
    const text = `${note}export const rows = new Map<string, string>();\n`;
    const files = { 'store.ts': text };
    git.commit(buildWithout('bob/store', version, common, files));
  }
}

/** `alice/web`: requires the store, a package, a variable; the newest version moves on in all of it. */
function publishWeb(git: GitFixture): void {
  const common = {
    description: 'Serves pages over HTTP',
    keywords: ['http', 'server'],
    license: 'Apache-2.0',
    stack: { requires: { node: '>=18' }, provides: ['web'] },
    builds: { 'bob/store': '^1.0.0' },
    base: 'src/web',
    files: ['*.ts'],
    scripts: { 'web:start': 'node src/web/server.ts' },
  };
  const server = (port: string, end: string): string =>
    `import { rows } from '../store/store.ts';\n\nexport const port = ${port};\n\n` +
    `export function size(): number {\n  return rows.size;\n}\n${end}`;
  const integration = '# Steps\n\nCall `size()` from your own server.\n';
  git.commit(
    buildWithout(
      'alice/web',
      '1.0.0',
      {
        ...common,
        dependencies: { npm: { zod: '^4.0.0' } },
        env: { WEB_PORT: { description: 'Port to listen on', example: '8080', required: true } },
      },
      {
        'server.ts': server('8080', ''),
        'old.ts': "export const old = 'old';\n",
        'INTEGRATION.md': integration,
      },
    ),
  );
  const newer = {
    ...common,
    dependencies: { npm: { zod: '^4.1.0' } },
    env: {
      WEB_PORT: { description: 'Port to listen on', example: '8080', required: true },
      WEB_HOST: { description: 'Address to listen on' },
    },
  };
  git.commit({
    ...buildWithout('alice/web', '1.1.0', newer, {
      'server.ts': server('9090', "\nexport const host = 'localhost';\n"),
      'INTEGRATION.md': integration,
    }),
    'builds/alice/web/old.ts': null,
  });
  git.commit(
    buildWithout('alice/web', '2.0.0', { ...newer, stack: { requires: { node: '>=99' } } }, {}),
  );
}

/** `carol/starter`: a foundation of an npm project. */
function publishStarter(git: GitFixture): void {
  const name = '{\n  "name": "starter",\n  "private": true,\n  "type": "module"\n}\n';
  git.commit(
    buildWithout(
      'carol/starter',
      '1.0.0',
      {
        kind: 'foundation',
        description: 'An empty npm project',
        keywords: ['starter'],
        stack: { requires: { node: '>=18' }, provides: ['npm-project'] },
        files: ['package.json', 'AGENTS.md', 'src/**'],
        scripts: { start: 'node src/main.ts' },
      },
      {
        'package.json': name,
        'AGENTS.md': '# For agents\n',
        'src/main.ts': "console.log('Hello');\n",
      },
    ),
  );
}

function publishOthers(git: GitFixture): void {
  const pages = {
    description: 'Serves pages, the old way',
    base: 'src/site',
    files: ['pages.ts'],
  };
  git.commit(
    buildWithout('dave/pages', '1.0.0', pages, { 'pages.ts': 'export const pages = [];\n' }),
  );
  const tools = {
    description: 'Settings for Python projects',
    base: 'tools',
    files: ['*.py'],
    dependencies: { pip: { pydantic: '>=2.0' } },
    devDependencies: { pip: { pytest: '>=8.0' } },
  };
  git.commit(buildWithout('erin/settings', '1.0.0', tools, { 'settings.py': 'DEBUG = False\n' }));
  const ci = { description: 'Runs the tests of every push', files: ['.github/**'] };
  const workflow = { '.github/workflows/test.yml': 'on: push\n' };
  git.commit(buildWithout('erin/workflow', '1.0.0', ci, workflow));
  const next = { description: 'A page for React', stack: { requires: { react: '>=19' } } };
  git.commit(build('fay/page', '1.0.0', { ...next, base: 'src/page', files: ['src/**'] }));
}

/** What was measured of `alice/web` 1.1.0, after all versions were published. */
function measured(): Record<string, string> {
  const day = { date: '2099-01-02', since: '2099-01-01' };
  const common = { others: 'newest', with: { zod: '4.2.0' }, ...day };
  const failed = { outcome: 'failed', step: 'types', error: ['src/web/server.ts(1,1): error TS1'] };
  const results = [
    { tag: 'node', version: '18.0.0', ...common, outcome: 'ok' },
    { tag: 'node', version: '24.1.0', ...common, outcome: 'ok' },
    { tag: 'node', version: '25.0.0', ...common, ...failed },
    { tag: 'zod', version: '4.2.0', ...common, with: { node: '24.1.0' }, outcome: 'ok' },
  ];
  const matrix = { versions: [{ version: '1.1.0', results }] };
  return { 'signals/alice/web.matrix.json': JSON.stringify(matrix) };
}

/** The files of a version without the source file that every fixture build has. */
function buildWithout(
  ...args: Parameters<typeof build>
): Record<string, string | Uint8Array | null> {
  const [id, version, changes, files] = args;
  const all = { ...build(id, version, changes, files) };
  delete all[`builds/${id}/src/index.ts`];
  return all;
}
