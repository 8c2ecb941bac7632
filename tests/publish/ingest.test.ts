/** The command `ingest` itself, from publication over logs, reports and flags to the records. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../format/document/canonical-json.ts';
import {
  statementId,
  statementPath,
  type Flag,
  type Report,
} from '../../format/statement/statement.ts';
import { OwnerInfo } from '../../format/index/registry-info.ts';
import { generateDocuments } from '../generate/generate-documents.ts';
import { GitFixture, build, temporaryFolder } from '../generate/git-fixture.ts';
import { readHead, readRecord, readVersion } from '../generate/index-reader.ts';
import { runCommand, runCommandProcess } from '../run/generator-command.ts';
import type { Ended } from '../run/script-process.ts';
import { logLine } from './ingest-fixture.ts';

const ID = 'alice/web';

/** A registry with one published build, its index, and the commands on them. */
class IngestFixture {
  readonly git = new GitFixture();
  readonly out = join(temporaryFolder(), 'index');

  private constructor() {}

  static async open(): Promise<IngestFixture> {
    const fixture = new IngestFixture();
    fixture.git.commit({
      ...build(ID, '1.0.0'),
      ...build('bob/api', '1.0.0'),
      'builds/alice/owner.json': JSON.stringify({ account_id: 1 }),
    });
    await fixture.generate();
    return fixture;
  }

  async generate(): Promise<void> {
    const { problems } = await generateDocuments({
      repo: this.git.folder,
      out: this.out,
      threads: 1,
    });
    if (problems.failing.length > 0) throw new Error(JSON.stringify(problems.failing));
  }

  ingest(...args: string[]): Promise<Ended> {
    return runCommand('ingest', [...args, '--repo', this.git.folder, '--index', this.out]);
  }

  log(name: string, content: string | Uint8Array): string {
    const file = join(temporaryFolder(), name);
    writeFileSync(file, content);
    return file;
  }

  /** A line about a real tarball: its size is that of its document. */
  line(address: string, bytes?: number): string {
    const { version } = readHead(this.out, ID).versions[0]!;
    const { size } = readVersion(this.out, ID, version);
    const line = logLine({ id: ID, address, bytes: bytes ?? size });
    return line.replace('20/Nov/2026', this.git.time.slice(8, 10) + '/Jan/2026');
  }

  report(account: string, changes: Partial<Report> = {}): Report {
    const { integrity } = readHead(this.out, changes.build ?? ID).versions[0]!;
    const day = this.git.time.slice(0, 10);
    return { build: ID, version: '1.0.0', integrity, account, day, outcome: 'success', ...changes };
  }

  flag(account: string): Flag {
    const { build: id, version, integrity, day } = this.report(account);
    return { build: id, version, integrity, account, day, reason: 'malware' };
  }
}

function fileOf(kind: 'reports' | 'flags', statement: Report | Flag): Record<string, string> {
  return { [statementPath(kind, statement)]: canonicalJson(statement) };
}

describe('npm run ingest', () => {
  it('brings downloads, reports and flags into the records', async () => {
    const fixture = await IngestFixture.open();
    const { git } = fixture;
    const plain = fixture.log(
      'access.log',
      fixture.line('192.0.2.1') + fixture.line('192.0.2.2', 1),
    );
    const packed = fixture.log('access.log.1', gzipSync(fixture.line('192.0.2.3')));
    const counted = await fixture.ingest('downloads', plain, packed);
    expect([counted.status, counted.stderr]).toEqual([0, '']);
    expect(counted.stdout).toBe(
      'logs: 2 read, 0 refused; lines: 3, 2 of them complete downloads, repeats among them, 0 not understood; ' +
        'signals: 1 changed; days closed: 0\n',
    );
    expect((await fixture.ingest('downloads', packed, plain)).stdout).toContain(
      'signals: 0 changed',
    );

    const flag = fixture.flag('host:9');
    git.commit({
      ...fileOf('reports', fixture.report('host:7')),
      ...fileOf('reports', fixture.report('host:1', { note: 'My own build is great' })),
      ...fileOf('flags', flag),
      ...fileOf('flags', fixture.flag('host:8')),
    });
    const reported = await fixture.ingest('reports');
    expect([reported.status, reported.stderr]).toEqual([0, '']);
    expect(reported.stdout).toBe(
      'reports: 2 accepted (0 superseded, 1 of the publisher, 0 dismissed), 0 refused; signals: 1 changed\n',
    );
    expect((await fixture.ingest('flags')).stdout).toContain('flags: 2 accepted');
    git.commit({});
    await fixture.generate();
    expect(readRecord(fixture.out, ID)).toMatchObject({
      downloads: 2,
      agent_reports: { success: 1, failure: 0, success_rate: 1 },
      flags: 2,
      updated_at: expect.stringMatching(/^2026-01-01T00:/),
    });

    const before = readOwner(fixture, 'alice');
    const decisions = { [statementId(flag)]: { state: 'upheld', reason: 'It mines coins' } };
    git.commit({ 'moderation/alice/web.json': JSON.stringify({ decisions }) });
    expect((await fixture.ingest('flags')).stdout).toContain('signals: 1 changed');
    git.commit({});
    await fixture.generate();
    expect(readRecord(fixture.out, ID).flags).toBe(1);
    const { reputation, reputation_parts } = readOwner(fixture, 'alice');
    expect(reputation_parts['flags']).toBe(-15);
    expect(reputation).toBe(before.reputation - 15);
    expect(readRecord(fixture.out, ID).reputation).toBe(reputation);
  });

  it('reports forged and invalid files, and counts the others', async () => {
    const fixture = await IngestFixture.open();
    const good = fixture.report('host:7');
    const path = statementPath('reports', good);
    const other = statementPath('reports', fixture.report('host:5'));
    const wrong = fixture.report('host:6', {
      integrity: 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
    });
    const large = 'reports/alice/web/1.0.0/'.concat('a'.repeat(64), '.json');
    fixture.git.symlink(other.replace('web', 'link'), '/etc/passwd');
    fixture.git.commit({
      [path]: canonicalJson(good),
      [other]: canonicalJson({ ...good, outcome: 'failure' }),
      [path.replace('alice/web', 'bob/api')]: canonicalJson(good),
      ...fileOf('reports', wrong),
      [large]: 'x'.repeat(100_000),
      'reports/README.md': '# Reports\n',
      'reports/alice/web/line\nbreak.json': '{}',
    });
    const ended = await fixture.ingest('reports');
    expect(ended.status).toBe(1);
    expect(ended.stderr.split('\n').filter((l) => l.startsWith('error:'))).toHaveLength(7);
    for (const code of ['statement-id', 'statement-integrity', 'statement-size']) {
      expect(ended.stderr).toContain(`[${code}]`);
    }
    expect(ended.stderr).toContain('line\\u{a}break');
    expect(ended.stdout).toContain('1 accepted');
    expect(readSignals(fixture)['agent_reports']).toEqual({ success: 1, failure: 0 });
    fixture.git.commit({ [path]: null });
    await fixture.ingest('reports');
    expect(readSignals(fixture)['agent_reports']).toEqual({ success: 0, failure: 0 });
  });

  it('counts the last report of an account and day, and ignores what admins dismissed', async () => {
    const fixture = await IngestFixture.open();
    const { git } = fixture;
    const [first, second] = [
      fixture.report('host:7'),
      fixture.report('host:7', { outcome: 'failure' }),
    ];
    git.commit(fileOf('reports', first));
    git.commit(fileOf('reports', second));
    expect((await fixture.ingest('reports')).stdout).toContain('2 accepted (1 superseded,');
    expect(readSignals(fixture)['agent_reports']).toEqual({ success: 0, failure: 1 });
    const decisions = { [statementId(second)]: { state: 'dismissed', reason: 'Not true' } };
    git.commit({ 'moderation/alice/web.json': JSON.stringify({ decisions }) });
    expect((await fixture.ingest('reports')).stdout).toContain('1 dismissed');
    expect(readSignals(fixture)['agent_reports']).toEqual({ success: 0, failure: 0 });
    git.commit({ 'moderation/alice/web.json': '{"decisions":{"x":1}}' });
    const broken = await fixture.ingest('reports');
    expect([broken.status, broken.stdout]).toEqual([1, '']);
    expect(broken.stderr).toContain('[ERR_SIGNALS]');
  });

  it.each([
    [[], 'Argument <kind> is missing'],
    [['upload'], 'Argument <kind> is "upload"'],
    [['downloads'], 'No access log is given'],
    [['downloads', 'x', '--source', 'A B'], 'Option --source is "A B"'],
    [['reports', 'x'], '"x" is too much'],
    [['flags', '--bogus'], 'Option "--bogus" is unknown'],
  ])('ends with status 2 on %j', async (args, message) => {
    const { status, stderr } = await runCommand('ingest', args);
    expect(status).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr).toContain('hint:');
  });

  it('requires an index, and prints its help', async () => {
    const none = await runCommand('ingest', ['downloads', 'x', '--index', temporaryFolder()]);
    expect([none.status, none.stderr]).toEqual([1, expect.stringContaining('[ERR_INDEX]')]);
    const help = await runCommandProcess('ingest', '--help');
    expect([help.status, help.stderr]).toEqual([0, '']);
    for (const word of ['downloads', 'reports', '--index', 'Example:']) {
      expect(help.stdout).toContain(word);
    }
  });
});

function readOwner(fixture: IngestFixture, owner: string): OwnerInfo {
  return OwnerInfo.parse(
    JSON.parse(readFileSync(join(fixture.out, `owners/${owner}.json`), 'utf8')),
  );
}

function readSignals(fixture: IngestFixture): Record<string, unknown> {
  const file = join(fixture.git.folder, `signals/${ID}.json`);
  return JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
}
