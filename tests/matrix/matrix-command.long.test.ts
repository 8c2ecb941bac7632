/** The command `matrix`, with the real client and the real npm: what it finds, writes, keeps, and loses when it is killed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { Matrix } from '../../format/index/compatibility.ts';
import { generateDocuments } from '../generate/generate-documents.ts';
import { GitFixture, build, temporaryFolder } from '../generate/git-fixture.ts';
import type { Files } from '../generate/git-fixture.ts';
import { readRecord } from '../generate/index-reader.ts';
import { runProcess } from '../run/script-process.ts';
import type { Ended } from '../run/script-process.ts';
import { servePackages } from './package-registry.ts';

const COMMAND = join(import.meta.dirname, '../../generator/main.ts');
const HELLO = "export const hello = () => 'hello';\n";
const GREET = `${HELLO}export const greet = (name) => \`hello, \${name}\`;\n`;
const GUIDE = `# Steps

## Verify

| Command | Expected |
|---|---|
| \`node -p "1 + 1"\` | \`2\` |
| \`node --input-type=module -e "import { sendMail } from './src/post/index.js'; console.log(sendMail())"\` | \`sent\` |
`;

/** A build whose range admits 1.0.0 of a package, which has no \`greet\`. Its mail is that of a build, not of the package \`mail\`. */
function greeter(version: string): Files {
  const changes = {
    stack: { requires: { 'tiny-greet': '>=1.0.0', mail: '*' } },
    base: 'src/greeter',
    files: ['index.js'],
  };
  const code = "import { greet } from 'tiny-greet';\n\nexport const text = greet('you');\n";
  const files = { 'index.js': code, 'INTEGRATION.md': GUIDE };
  const all: Record<string, string | Uint8Array | null> = {
    ...build('a/greeter', version, changes, files),
  };
  delete all['builds/a/greeter/src/index.ts'];
  return all;
}

/** A build that provides the tag `mail`. */
function post(): Files {
  const changes = { stack: { provides: ['mail'] }, base: 'src/post', files: ['index.js'] };
  const code = "export const sendMail = () => 'sent';\n";
  const all: Record<string, string | Uint8Array | null> = {
    ...build('a/post', '1.0.0', changes, { 'index.js': code }),
  };
  delete all['builds/a/post/src/index.ts'];
  return all;
}

class Fixture {
  readonly git: GitFixture = new GitFixture();
  readonly #cache: string = temporaryFolder();
  readonly #packages: string;

  constructor(packages: string) {
    this.#packages = packages;
  }

  get env(): Record<string, string | undefined> {
    return { ...process.env, npm_config_registry: this.#packages, npm_config_fetch_retries: '0' };
  }

  args(...more: string[]): string[] {
    return ['--repo', this.git.folder, '--cache', this.#cache, ...more];
  }

  run(...more: string[]): Promise<Ended> {
    const args = this.args('--build', 'a/greeter', ...more);
    return runProcess({
      file: COMMAND,
      args: ['matrix', ...args],
      cwd: this.git.folder,
      env: this.env,
    });
  }

  rows(): string[] {
    const file = join(this.git.folder, 'signals/a/greeter.matrix.json');
    if (!existsSync(file)) return [];
    const { versions } = Matrix.parse(JSON.parse(readFileSync(file, 'utf8')));
    return versions.flatMap(({ version, results }) =>
      results.map((row) => `${version}: ${row.version} ${row.step ?? row.outcome}`),
    );
  }
}

it('matrix finds a range that is wrong, keeps what is measured, and survives a kill', async () => {
  const packages = await servePackages({
    'tiny-greet': { '1.0.0': HELLO, '2.0.0': GREET, '3.0.0-rc.1': HELLO },
    mail: { '1.0.0': HELLO },
  });
  onTestFinished(packages.close);
  const made = new Fixture(packages.url);
  made.git.commit(post());
  made.git.commit(greeter('1.0.0'));

  // Killed when the first row is there: it stays.
  const child = spawn(process.execPath, [COMMAND, 'matrix', ...made.args('--build', 'a/greeter')], {
    env: made.env,
  });
  const ended = once(child, 'exit');
  while (made.rows().length === 0 && child.exitCode === null) await sleep(20);
  child.kill('SIGKILL');
  await ended;
  const first = made.rows();
  expect(first[0]).toMatch(/^1\.0\.0: /);

  const { status, stdout, stderr } = await made.run('--json');
  expect({ status, stderr }).toMatchObject({ status: 0 });
  expect(JSON.parse(stdout)).toMatchObject({ ok: true, kept: first.length, failed: 1, left: 0 });
  expect(made.rows()).toEqual(['1.0.0: 1.0.0 load', '1.0.0: 2.0.0 ok']);
  expect(stderr).toMatch(
    /tiny-greet 1\.0\.0: failed at loading the code: .*does not provide an export named 'greet'/,
  );

  // Nothing is stale; another version of the build is measured for itself.
  made.git.commit(greeter('1.1.0'));
  const again = await made.run('--dry-run');
  expect(again.stdout).toBe('rows: 0 measured, of which 0 failed; 0 kept, 2 to be measured\n');

  // The next version repeats the range. By the clock of the fixture, it is published after the measurement.
  const signals = 'signals/a/greeter.matrix.json';
  const text = readFileSync(join(made.git.folder, signals), 'utf8');
  const measured = text.replaceAll(/"\d{4}-\d\d-\d\d"/g, '"2026-01-01"');
  made.git.commit({ [signals]: measured });
  const out = join(temporaryFolder(), 'index');
  await generateDocuments({ repo: made.git.folder, out, threads: 1 });
  const document = readFileSync(join(out, 'builds/a/greeter/compatibility.json'), 'utf8');
  expect(JSON.parse(document)).toMatchObject({ id: 'a/greeter', versions: [{ version: '1.0.0' }] });
  expect(readRecord(out, 'a/greeter').checks.findings.map(({ code }) => code)).toContain(
    'stack-range-unproven',
  );

  // What was measured to fail is measured again, not refused because of that.
  const third = await made.run();
  expect(third.stdout).toMatch(/^rows: 2 measured, of which 1 failed/);
  expect(made.rows()).toEqual([
    '1.1.0: 1.0.0 load',
    '1.1.0: 2.0.0 ok',
    '1.0.0: 1.0.0 load',
    '1.0.0: 2.0.0 ok',
  ]);
});

it('matrix names what it cannot do, and leaves the file as it is', async () => {
  const made = new Fixture('http://127.0.0.1:9');
  made.git.commit(greeter('1.0.0'));
  const { status, stderr } = await made.run();
  expect(status).toBe(1);
  expect(stderr).toContain('Cannot list the versions of "tiny-greet": npm reports');
  expect(made.rows()).toEqual([]);
});
