import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseLog } from './history.ts';
import type { MainLineCommit } from './history.ts';

const OID = 'a'.repeat(40);

async function parse(chunks: readonly Buffer[]): Promise<MainLineCommit[]> {
  async function* source(): AsyncGenerator<Buffer> {
    yield* chunks;
  }
  const commits: MainLineCommit[] = [];
  for await (const commit of parseLog(source())) commits.push(commit);
  return commits;
}

function write(commits: readonly MainLineCommit[]): Buffer {
  return Buffer.concat(
    commits.flatMap(({ oid, seconds, changes }) => [
      Buffer.from(`\u{1}${oid}\0${seconds}\0`),
      ...changes.flatMap(({ path, mode, oid: blob }, at) => [
        Buffer.from(`${at === 0 ? '\n' : ''}:100644 ${mode} ${OID} ${blob} M\0`),
        path,
        Buffer.from('\0'),
      ]),
    ]),
  );
}

const path = fc
  .uint8Array({ minLength: 1, maxLength: 12 })
  .filter((bytes) => !bytes.includes(0))
  .map((bytes) => Buffer.from(bytes));
const oid = fc.constantFrom('1', 'e').map((digit) => digit.repeat(40));
const commit = fc.record({
  oid,
  seconds: fc.nat(),
  changes: fc.array(fc.record({ path, mode: fc.constantFrom('100644', '040000', '000000'), oid }), {
    minLength: 1,
    maxLength: 4,
  }),
});

describe('parseLog()', () => {
  it('reads back what git would write, however it is cut into chunks', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(commit, { maxLength: 5 }), fc.nat(20), async (commits, size) => {
        const bytes = write(commits);
        const chunks: Buffer[] = [];
        for (let at = 0; at < bytes.length; at += size + 1) {
          chunks.push(bytes.subarray(at, at + size + 1));
        }
        expect(await parse(chunks)).toEqual(commits);
      }),
    );
  });

  it('takes a path that looks like a commit or like an entry for a path', async () => {
    const odd = [Buffer.from('\u{1}abc'), Buffer.from('\n:100644'), Buffer.from(':')];
    const changes = odd.map((p) => ({ path: p, mode: '100644', oid: OID }));
    const commits = [{ oid: OID, seconds: 1, changes }];
    expect(await parse([write(commits)])).toEqual(commits);
  });

  it('reads nothing from nothing', async () => {
    expect(await parse([])).toEqual([]);
  });
});
