import { readdirSync, truncateSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../tests/generate/git-fixture.ts';
import { FilesElsewhere } from './files-elsewhere.ts';

const A = 'a'.repeat(64);
let out = '';
beforeEach(() => {
  out = join(temporaryFolder(), 'index');
});

describe('FilesElsewhere', () => {
  it('reads what it wrote', () => {
    const paths = fc.stringMatching(/^[\w ./@-]{1,40}$/);
    const lists = fc.dictionary(paths, fc.stringMatching(/^[0-9a-f]{64}$/));
    fc.assert(
      fc.property(lists, fc.boolean(), (list, isBehind) => {
        FilesElsewhere.write(out, new Map(Object.entries(list)), isBehind);
        const read = FilesElsewhere.read(out)!;
        expect([new Map(read), read.isBehind]).toEqual([new Map(Object.entries(list)), isBehind]);
      }),
    );
  });

  it('forgets files, and that it may have too many', () => {
    FilesElsewhere.write(
      out,
      new Map([
        ['x', A],
        ['y', A],
      ]),
      true,
    );
    expect(FilesElsewhere.read(out)!.keep((path) => path !== 'x')).toBe(1);
    const read = FilesElsewhere.read(out)!;
    expect([[...read], read.isBehind]).toEqual([[['y', A]], false]);
    FilesElsewhere.remove(out);
    expect([FilesElsewhere.read(out), readdirSync(dirname(out))]).toEqual([undefined, []]);
  });

  it('does not read a list that was cut', () => {
    FilesElsewhere.write(
      out,
      new Map([
        ['x', A],
        ['y', A],
      ]),
      false,
    );
    truncateSync(join(dirname(out), '.index.elsewhere'), 30);
    expect(() => FilesElsewhere.read(out)).toThrow(/it is damaged/);
  });
});
