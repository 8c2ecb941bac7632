/** The checks of docs/trust.md with openssl and Python, as the page has them, accept what is right and nothing else. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatNoteKey } from '../../format/log/note-key.ts';
import { build } from '../generate/git-fixture.ts';
import { OTHER, SIGNER, Scenario, expectDone } from './log-scenario.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/trust.md'), 'utf8');

/** The code of the page after this mark. */
function code(mark: string): string {
  const [, text] = new RegExp(`\`\`\`\\w+ ${mark}\n(.*?)\`\`\``, 's').exec(PAGE) ?? [];
  if (text === undefined) throw new Error(`docs/trust.md has no ${mark}`);
  return text;
}

function run(program: string, args: readonly string[], cwd: string, key = ''): string {
  const env = { ...process.env, key };
  return execFileSync(program, args, { cwd, env, encoding: 'utf8', stdio: 'pipe' });
}

/** A project with a build from a log of several entries. */
async function installed(): Promise<Scenario> {
  const scenario = await Scenario.begin();
  for (const name of ['p', 'q', 'r']) scenario.git.commit(build(`b/${name}`, '1.0.0'));
  await scenario.publish();
  await expectDone(scenario, ['add', 'a/y']);
  return scenario;
}

describe('docs/trust.md', () => {
  it('checks the proof of a lock, and the signature of its checkpoint', async () => {
    const { project } = await installed();
    const checkpoint = run('python3', ['-c', code('check-proof'), 'a/y'], project);
    expect(checkpoint).toMatch(/^registry\.example\/log\n7\n/);
    writeFileSync(join(project, 'checkpoint'), checkpoint);
    const check = ['-e', '-c', code('check-signature')];
    expect(run('bash', check, project, formatNoteKey(SIGNER))).toMatch(/Verified Successfully/);
    expect(() => run('bash', check, project, formatNoteKey(OTHER))).toThrow(/Command failed/);
    writeFileSync(join(project, 'checkpoint'), checkpoint.replace('\n7\n', '\n8\n'));
    expect(() => run('bash', check, project, formatNoteKey(SIGNER))).toThrow(/Command failed/);
  });

  it('finds an altered lock', async () => {
    const { project } = await installed();
    const file = join(project, 'stackyard.lock.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/("tree": ")..../, '$10000'));
    expect(() => run('python3', ['-c', code('check-proof'), 'a/y'], project)).toThrow(
      /the log does not have a\/y/,
    );
  });
});

it('docs/trust.md names a test that exists for every row of its table', () => {
  const [, table = ''] = /\n\| What the host does [^\n]*\n\|-[^\n]*\n(.*?)\n\n/s.exec(PAGE) ?? [];
  const rows = table.split('\n');
  expect(rows.length).toBeGreaterThan(20);
  for (const row of rows) {
    const [, file = '', name = ''] = /\| `([\w/.-]+\.test\.ts)`: ([^|]+) \|$/.exec(row) ?? [];
    const source = readFileSync(join(import.meta.dirname, '../..', file), 'utf8');
    expect([row, source.includes(`'${name}`)]).toEqual([row, true]);
  }
});
