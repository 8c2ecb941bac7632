/** What a build does to the scanner stays with that build: the programs `generate`, `gate` and `check` go on. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { GateFixture } from '../publish/gate-fixture.ts';
import { runProcess } from '../run/script-process.ts';
import type { Ended } from '../run/script-process.ts';
import { GitFixture, build, temporaryFolder } from './git-fixture.ts';
import type { Files } from './git-fixture.ts';
import { readRecord } from './index-reader.ts';
import type { PackageRecord } from '../../format/index/record.ts';

const MAIN = join(import.meta.dirname, '../../generator/main.ts');
const CLIENT = join(import.meta.dirname, '../../client/main.ts');
const FAULTS = pathToFileURL(join(import.meta.dirname, 'scan-faults.ts')).href;

/** Code that Python reads only up to a hundred levels, and tokens that a parser reads again and again. */
const HOSTILE: Readonly<Record<string, string>> = {
  strings: `import os\nx = ${'f"""{'.repeat(1_000)}1${'}"""'.repeat(1_000)}\n`,
  open: `import os\nx = ${'f"{'.repeat(2_000)}\n`,
  require: `import os\n${'require("'.repeat(25_000)}`,
  import: `import os\n${'import("'.repeat(25_000)}`,
  eval: `import os\n${'eval("'.repeat(25_000)}`,
};

const PATHS: Files = Object.fromEntries(
  Object.keys(HOSTILE)
    .sort()
    .map((name) => [`src/${name}.py`, HOSTILE[name]!]),
);

function unreadIn({ findings }: Shown): string[] {
  return findings
    .filter(({ code }) => code === 'source-unread')
    .map(({ file }) => file)
    .sort();
}

interface Shown {
  readonly findings: readonly { readonly code: string; readonly file: string }[];
}

function endOf({ checks }: Pick<PackageRecord, 'checks'>): string[] {
  return checks.findings
    .filter(({ code }) => code === 'scan-ended')
    .map(({ level, file, message }) => `${level} ${file}: ${message}`);
}

function program(file: string, args: readonly string[], faults = true): Promise<Ended> {
  const options = `--max-old-space-size=400 ${faults ? `--import ${FAULTS}` : ''}`;
  return runProcess({
    file,
    args,
    cwd: process.cwd(),
    env: { ...process.env, NODE_OPTIONS: options },
  });
}

function withFile(id: string, path: string, text: string): Files {
  return build(id, '1.0.0', {}, { [path]: text });
}

const REASON = 'error src/a.py: The build was not scanned: the scanner';

describe('generate', { timeout: 600_000 }, () => {
  const argsFor = (git: GitFixture, out: string, threads: string): string[] => {
    const place = ['--repo', git.folder, '--out', out, '--no-site', '--no-client'];
    return [...place, '--threads', threads];
  };

  it.each(['1', '2'])(
    'publishes every build where a scan ends its thread, with %s threads',
    async (threads) => {
      const git = new GitFixture();
      const memory = withFile('b/memory', 'src/a.py', 'import os\n# FAULT_MEMORY\n');
      git.commit({ ...build('a/before', '1.0.0'), ...memory, ...build('c/after', '1.0.0') });
      const out = join(temporaryFolder(), 'index');
      const args = argsFor(git, out, threads);
      const run = await program(MAIN, ['generate', ...args]);
      expect([run.status, run.stderr]).toEqual([0, '']);
      expect(run.stdout).toMatch(/^builds: 3, versions: 3;/);
      const found = (id: string): unknown[] => {
        const record = readRecord(out, id);
        return [record.checks.risk, ...endOf(record)];
      };
      expect([found('a/before'), found('c/after')]).toEqual([['ok'], ['ok']]);
      expect(found('b/memory')).toEqual(['danger', `${REASON} had not enough memory`]);
      const next = await program(MAIN, ['generate', ...args]);
      expect([next.status, next.stdout]).toEqual([0, expect.stringContaining('0 written')]);
    },
  );
});

describe('gate', { timeout: 180_000 }, () => {
  const judge = (gate: GateFixture, head: string, faults: boolean): Promise<Ended> => {
    const author = ['--author', 'alice', '--author-id', '11'];
    const args = ['--repo', gate.git.folder, '--base', 'main', '--head', head, ...author];
    return program(MAIN, ['gate', ...args, '--json'], faults);
  };

  it('refuses a build whose scan ends its thread', async () => {
    const gate = new GateFixture();
    const text = 'import os\n# FAULT_MEMORY\n';
    const run = await judge(gate, gate.pull(withFile('alice/new-parts', 'src/a.py', text)), true);
    expect([run.status, run.stderr]).toEqual([1, '']);
    expect(JSON.parse(run.stdout)).toMatchObject({
      verdict: 'refuse',
      reasons: expect.arrayContaining([
        expect.objectContaining({
          code: 'scan-ended',
          file: 'builds/alice/new-parts/src/a.py',
          message: 'The build was not scanned: the scanner had not enough memory',
        }),
      ]),
    });
  });

  it('names everything as gained after a version whose scan ends its thread', async () => {
    const gate = new GateFixture();
    gate.git.commit(withFile('alice/old-parts', 'src/a.py', 'import os\n# FAULT_MEMORY\n'));
    const next = build(
      'alice/old-parts',
      '1.1.0',
      {},
      {
        'src/a.py':
          "import os, requests\nrequests.post('https://api.example.org/', os.getenv('HOME'))\n",
      },
    );
    const run = await judge(gate, gate.pull(next), true);
    expect(JSON.parse(run.stdout)).toMatchObject({
      builds: [{ previous: '1.0.0', gained: { hosts: ['api.example.org'] } }],
    });
  });
});

describe('stackyard check', { timeout: 180_000 }, () => {
  it('judges a build with hostile files', async () => {
    const git = new GitFixture();
    git.commit(build('alice/parts', '1.0.0', {}, PATHS));
    const folder = join(git.folder, 'builds/alice/parts');
    const run = await program(CLIENT, ['check', folder, '--json'], false);
    expect([run.status, run.stderr]).toEqual([0, '']);
    const { data } = JSON.parse(run.stdout) as { data: Shown };
    expect(unreadIn(data)).toEqual(Object.keys(PATHS));
  });
});
