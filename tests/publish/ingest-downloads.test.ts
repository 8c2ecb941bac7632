/** `ingest downloads` without the command line: what counts, and that it counts once. */
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { Signals } from '../../format/registry/signals.ts';
import { ingestDownloads } from '../../generator/ingest/downloads.ts';
import { IngestState } from '../../generator/ingest/ingest-state.ts';
import { PublishedVersions } from '../../generator/ingest/published-versions.ts';
import { temporaryFolder } from '../generate/git-fixture.ts';
import { SIZE, TODAY, logLine, makeIndex } from './ingest-fixture.ts';
import type { Read } from './ingest-fixture.ts';

const BUILDS = { 'a/x': ['1.0.0', '1.1.0+b1'], 'b/y': ['1.0.0'] };

class Registry {
  readonly folder = temporaryFolder();
  readonly index = makeIndex(BUILDS);
  #logs = 0;

  log(bytes: string | Uint8Array): string {
    this.#logs += 1;
    const file = join(this.folder, `${this.#logs}.log`);
    writeFileSync(file, bytes);
    return file;
  }

  async ingest(
    logs: string[],
    options: { today?: number; source?: string; base?: string } = {},
  ): ReturnType<typeof ingestDownloads> {
    const { today = TODAY, source = 'main', base = '' } = options;
    const state = new IngestState(join(this.folder, 'state.sqlite'));
    const versions = new PublishedVersions(this.index);
    const all = { logs, repo: this.folder, source, base, today };
    return ingestDownloads(all, versions, state).finally(() => state.close());
  }

  signals(id = 'a/x'): Signals | undefined {
    const file = join(this.folder, `signals/${id}.json`);
    return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Signals) : undefined;
  }

  digest(): string {
    const texts = Object.keys(BUILDS).map((id) => JSON.stringify(this.signals(id)));
    return createHash('sha256').update(texts.join()).digest('hex');
  }
}

async function downloadsOf(...reads: Read[]): Promise<number> {
  const registry = new Registry();
  await registry.ingest([registry.log(reads.map(logLine).join(''))]);
  return registry.signals()?.downloads ?? 0;
}

describe('ingest downloads', () => {
  it('writes counts by collector, month and version', async () => {
    const registry = new Registry();
    const lines = [{}, { version: '1.1.0+b1', day: 2 }, { address: '192.0.2.8' }, { id: 'b/y' }];
    const report = await registry.ingest([registry.log(lines.map(logLine).join(''))]);
    expect(report.changed).toEqual(['a/x', 'b/y']);
    expect(readFileSync(join(registry.folder, 'signals/a/x.json'), 'utf8')).toBe(
      '{"agent_reports":{"failure":0,"success":0},"downloads":3,"flags":0,' +
        '"months":{"main":{"2026-11":{"1.0.0":2,"1.1.0+b1":1}}},' +
        '"updated_at":"2026-11-20T00:00:00.000Z"}\n',
    );
  });

  it.each<[string, Read[], number]>([
    ['a complete read', [{}], 1],
    ['a read whose bytes are not logged', [{ bytes: '-' }], 1],
    ['headers counted as bytes', [{ bytes: SIZE + 400 }], 1],
    ['a part', [{ bytes: SIZE - 1 }], 0],
    ['a range', [{ status: 206, bytes: 100 }], 0],
    ['a range over everything', [{ status: 206, bytes: SIZE }], 1],
    ['ranges that together are more', [{ status: 206, bytes: 10 * SIZE }], 0],
    ['a range whose bytes are not logged', [{ status: 206, bytes: '-' }], 0],
    ['HEAD', [{ method: 'HEAD' }], 0],
    ['POST', [{ method: 'POST' }], 0],
    ['not modified', [{ status: 304, bytes: 0 }], 0],
    ['not found', [{ status: 404 }], 0],
    ['a version that is not published', [{ version: '9.9.9' }], 0],
    ['a build that is not published', [{ id: 'a/z' }], 0],
    ['a robot', [{ agent: 'Googlebot/2.1' }], 0],
    ['the same client again', [{}, {}], 1],
    ['the same client on another day', [{}, { day: 19 }], 2],
    ['the same client, another version', [{}, { version: '1.1.0+b1' }], 2],
    ['two clients', [{}, { address: '192.0.2.8' }], 2],
    ['one /64', [{ address: '2001:db8::1' }, { address: '2001:db8::ffff:1' }], 1],
    ['two /64', [{ address: '2001:db8::1' }, { address: '2001:db8:0:1::1' }], 2],
    ['IPv4 in IPv6', [{}, { address: '::ffff:192.0.2.7' }], 1],
    ['no address', [{ address: 'unknown' }], 0],
    ['tomorrow, for clocks that differ', [{ day: 22 }], 1],
    ['the future', [{ day: 24 }], 0],
  ])('counts %s', async (_, reads, expected) => {
    expect(await downloadsOf(...reads)).toBe(expected);
  });

  it('does not count what was downloaded before it was published', async () => {
    const registry = new Registry();
    const early = logLine().replace('20/Nov/2026', '30/Dec/2025');
    const onTheDay = logLine({ address: '192.0.2.9' }).replace('20/Nov/2026', '31/Dec/2025');
    await registry.ingest([registry.log(early + onTheDay)]);
    expect(registry.signals()?.downloads).toBe(1);
  });

  it('reads an index below a path', async () => {
    const registry = new Registry();
    const below = logLine({ address: '192.0.2.8' }).replace('/builds/', '/registry/builds/');
    await registry.ingest([registry.log(logLine() + below)], { base: '/registry' });
    expect(registry.signals()?.downloads).toBe(1);
  });

  it('reports what it ignored', async () => {
    const registry = new Registry();
    const garbage = 'GET /\nx.tgz\n\u0000\u0001.tgz\n"".tgz\nGET /index.html\n';
    const lines = [{}, {}, { agent: 'Googlebot' }, { version: '3.0.0' }, { bytes: 1 }];
    const log = registry.log(garbage + lines.map(logLine).join('') + 'y'.repeat(70_000));
    const { logs, problems } = await registry.ingest([log]);
    expect(problems).toEqual([]);
    expect(logs).toEqual([
      {
        log,
        lines: 11,
        malformed: 3,
        malformedAt: 2,
        tooLong: 1,
        verdicts: { download: 2, robot: 1, unknown: 1, partial: 1 },
      },
    ]);
  });

  it('counts nothing of a log whose gzip data ends too early, and everything when it is whole', async () => {
    const registry = new Registry();
    const text = Array.from({ length: 5_000 }, (_, n) =>
      logLine({ address: `10.0.${n >> 8}.${n & 255}` }),
    ).join('');
    const whole = gzipSync(text);
    const cut = registry.log(whole.subarray(0, whole.length - 1_000));
    const good = registry.log(logLine({ id: 'b/y' }));
    const first = await registry.ingest([cut, good]);
    expect(first.problems.map((p) => [p.code, p.message])).toEqual([
      ['ERR_LOG', `Cannot read "${cut}": its gzip data ends too early`],
    ]);
    expect([registry.signals(), registry.signals('b/y')?.downloads]).toEqual([undefined, 1]);
    await registry.ingest([registry.log(whole)]);
    const counted = registry.signals()?.downloads ?? 0;
    expect(Math.abs(counted / 5_000 - 1)).toBeLessThan(0.08);
    // In two members, as rotated files are joined, and under another name: nothing new.
    const joined = Buffer.concat([gzipSync(text.slice(0, 3_000)), gzipSync(text.slice(3_000))]);
    expect((await registry.ingest([registry.log(joined)])).changed).toEqual([]);
  });

  it.each([
    [
      'broken gzip',
      Buffer.concat([gzipSync(logLine()).subarray(0, 20), Buffer.alloc(50, 7)]),
      /gzip data/,
    ],
    ['Parquet', Buffer.from('PAR1....'), /Parquet/],
    ['zstd', Buffer.from('28b52ffd00000000', 'hex'), /packed with zstd/],
    ['a zip', Buffer.from('504b030400000000', 'hex'), /packed with zip/],
  ])('refuses %s', async (_, bytes, message) => {
    const registry = new Registry();
    const { problems } = await registry.ingest([registry.log(bytes)]);
    expect(problems.map((p) => p.message)).toEqual([expect.stringMatching(message)]);
  });

  it('refuses a log that is not there and reads the next', async () => {
    const registry = new Registry();
    const report = await registry.ingest([
      '/nowhere.log',
      registry.folder,
      registry.log(logLine()),
    ]);
    expect(report.problems.map((p) => p.message)).toEqual([
      'Cannot read "/nowhere.log": no such file',
      `Cannot read "${registry.folder}": it is a folder`,
    ]);
    expect(registry.signals()?.downloads).toBe(1);
  });

  it('stores no address, and makes the state readable only to its owner', async () => {
    const registry = new Registry();
    await registry.ingest([registry.log(logLine({ address: '203.0.113.77' }))]);
    const file = join(registry.folder, 'state.sqlite');
    const bytes = readFileSync(file);
    expect(bytes.includes('203.0.113.77')).toBe(false);
    expect(bytes.includes(Buffer.of(203, 0, 113, 77))).toBe(false);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('closes days, deletes their salts and hashes, keeps their counts, and refuses their lines', async () => {
    const registry = new Registry();
    const log = registry.log(logLine());
    await registry.ingest([log]);
    const before = registry.digest();
    expect((await registry.ingest([], { today: TODAY + 35 })).closedDays).toBe(0);
    expect((await registry.ingest([], { today: TODAY + 36 })).closedDays).toBe(1);
    const other = registry.log(logLine({ address: '192.0.2.99' }));
    const late = await registry.ingest([log, other], { today: TODAY + 36 });
    expect(late.logs.map((l) => l.verdicts)).toEqual([{ closed: 1 }, { closed: 1 }]);
    expect(registry.digest()).toBe(before);
    await registry.ingest([registry.log(logLine({ day: 21 }))], { today: TODAY + 36 });
    expect(registry.signals()?.downloads).toBe(2);
  });

  it('keeps the counts of sketches, which version 0.1.0 had, and closes their days', async () => {
    const registry = new Registry();
    await registry.ingest([registry.log(logLine())]);
    const db = new Database(join(registry.folder, 'state.sqlite'));
    const { day } = db.prepare('SELECT day FROM day').get() as { day: number };
    db.exec(`CREATE TABLE sketch (day INTEGER, id TEXT, version TEXT, count INTEGER, sketch BLOB);
      INSERT INTO sketch VALUES (${day}, 'a/x', '1.0.0', 40, x'01'); DELETE FROM seen;`);
    db.close();
    const late = await registry.ingest([
      registry.log(logLine({ address: '192.0.2.99' })),
      registry.log(logLine({ day: 21, address: '192.0.2.99' })),
    ]);
    expect(late.logs.map((l) => l.verdicts)).toEqual([{ closed: 1 }, { download: 1 }]);
    expect(registry.signals()?.downloads).toBe(41);
  });

  it('adds the counts of collectors, and keeps counts from before the format had months', async () => {
    const registry = new Registry();
    const old =
      '{"downloads":40,"agent_reports":{"success":3,"failure":1},"updated_at":"2026-05-01T00:00:00.000Z"}';
    mkdirSync(join(registry.folder, 'signals/a'), { recursive: true });
    writeFileSync(join(registry.folder, 'signals/a/x.json'), old);
    const log = registry.log(logLine());
    await registry.ingest([log]);
    await registry.ingest([registry.log(logLine({ address: '192.0.2.8' }))], { source: 'cdn' });
    expect(registry.signals()).toEqual({
      downloads: 43,
      earlier: 40,
      months: { main: { '2026-11': { '1.0.0': 1 } }, cdn: { '2026-11': { '1.0.0': 2 } } },
      agent_reports: { success: 3, failure: 1 },
      flags: 0,
      updated_at: '2026-11-20T00:00:00.000Z',
    });
  });

  it('stops at an invalid signals file, and writes it once it is corrected', async () => {
    const registry = new Registry();
    const file = join(registry.folder, 'signals/a/x.json');
    mkdirSync(join(registry.folder, 'signals/a'), { recursive: true });
    writeFileSync(file, '{');
    const report = await registry.ingest([registry.log(logLine() + logLine({ id: 'b/y' }))]);
    expect(report.problems.map((p) => p.code)).toEqual(['ERR_SIGNALS']);
    expect(report.changed).toEqual(['b/y']);
    writeFileSync(file, '{"updated_at":"2026-05-01T00:00:00.000Z"}');
    expect((await registry.ingest([])).changed).toEqual(['a/x']);
    expect(registry.signals()?.downloads).toBe(1);
  });
});

describe('the same lines', () => {
  const read = fc.record({
    id: fc.constantFrom('a/x', 'b/y', 'c/z'),
    version: fc.constantFrom('1.0.0', '1.1.0+b1'),
    address: fc.constantFrom(
      '192.0.2.7',
      '192.0.2.8',
      '::ffff:192.0.2.7',
      '2001:db8::1',
      '2001:db8::2',
      '2001:db8:1::1',
      'x',
    ),
    day: fc.integer({ min: 18, max: 23 }),
    status: fc.constantFrom(200, 200, 200, 206, 404),
    agent: fc.constantFrom('curl/8', 'curl/8', 'Googlebot'),
  });

  it('count the same in any order, cut into any files, packed or not, given again', async () => {
    const orders = fc
      .array(read, { maxLength: 40 })
      .chain((reads) =>
        fc.tuple(
          fc.constant(reads),
          fc.shuffledSubarray(reads, { minLength: reads.length }),
          fc.array(fc.tuple(fc.nat(40), fc.boolean(), fc.boolean()), { maxLength: 5 }),
        ),
      );
    await fc.assert(
      fc.asyncProperty(orders, async ([reads, shuffled, cuts]) => {
        const plain = new Registry();
        await plain.ingest([plain.log(reads.map(logLine).join(''))]);
        const parts = new Registry();
        const ends = [...cuts, [40, false, true] as const].sort((a, b) => a[0] - b[0]);
        let start = 0;
        for (const [end, isPacked, isTwice] of ends) {
          const text = shuffled.slice(start, end).map(logLine).join('');
          start = end;
          const log = parts.log(isPacked ? gzipSync(text) : text);
          await parts.ingest(isTwice ? [log, log] : [log]);
        }
        expect(parts.digest()).toBe(plain.digest());
        // An oracle that keeps everything: a set of client, version and day.
        const seen = new Set(
          reads
            .filter((r) => r.id === 'a/x' && r.status !== 404 && r.agent === 'curl/8' && r.day < 23)
            .filter((r) => r.address !== 'x')
            .map((r) => {
              const client = r.address.replace('::ffff:', '').replace('2001:db8::2', '2001:db8::1');
              return `${client} ${r.version} ${r.day}`;
            }),
        );
        expect(plain.signals()?.downloads ?? 0).toBe(seen.size);
      }),
      { numRuns: 25 },
    );
  });

  it('count once when a run is stopped before it writes', async () => {
    const registry = new Registry();
    const log = registry.log(logLine());
    const state = new IngestState(join(registry.folder, 'state.sqlite'));
    const versions = new PublishedVersions(registry.index);
    // A folder that is a file: counting goes well, writing does not.
    const repo = join(registry.folder, 'file');
    appendFileSync(repo, '');
    const options = { logs: [log], repo, source: 'main', base: '', today: TODAY };
    await expect(ingestDownloads(options, versions, state)).rejects.toThrow(/ENOTDIR|EEXIST/);
    state.close();
    expect((await registry.ingest([log])).changed).toEqual(['a/x']);
    expect(registry.signals()?.downloads).toBe(1);
  });
});
