import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mkdtempSync, rmSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { integrityOf } from '../../format/archive/integrity.ts';
import { parseIndexPath } from '../../format/index/layout.ts';
import { treeRoot } from '../../format/log/proof.ts';
import { HASH_BYTES, leafHash } from '../../format/log/hash.ts';
import { definedRoot } from '../../tests/log-vectors/made-tree.ts';
import { formatLogEntry } from '../../format/log/entry.ts';
import { parseBundle } from '../../format/log/bundle.ts';
import { runs } from '../../tests/run/runs.ts';
import { hashesFromTiles } from '../../format/log/append.ts';
import { TILE_WIDTH, tilePath, type Tile } from '../../format/log/tile.ts';
import type { LogTable } from '../state/log-table.ts';
import { State } from '../state/state.ts';
import { countLogFiles, logFileTest } from './log-files.ts';
import { rootOf, writeTiles } from './published-log.ts';

function openState(): State {
  const folder = mkdtempSync(join(tmpdir(), 'stackyard-test-'));
  const state = State.open(join(folder, 'state.sqlite'));
  onTestFinished(() => {
    state.close();
    rmSync(folder, { recursive: true });
  });
  return state;
}

/** Entry `at`, of a commit of its own. */
const entryOf = (at: number, type: 'publish' | 'map' = 'publish'): Uint8Array =>
  formatLogEntry({
    ...(type === 'map'
      ? { type }
      : { type, id: `a/x${at}`, version: '1.0.0', tree: 'b'.repeat(40) }),
    integrity: integrityOf(new TextEncoder().encode(`${at}`)),
    commit: at.toString(16).padStart(40, '0'),
    published_at: '2026-01-01T00:00:00.000Z',
  });

/** The files of a log that has each of `sizes` at the end of a run, as the index keeps them; a signed run ends with a map. */
class GrowingLog {
  readonly files = new Map<string, string>();
  readonly log: LogTable = openState().log;
  readonly #isSigned: boolean;

  constructor(isSigned = true) {
    this.#isSigned = isSigned;
  }

  /** A run. @param maps sizes at which earlier runs ended, which this one does at once */
  run(size: number, maps: readonly number[] = []): void {
    const { log } = this;
    const oldSize = log.size();
    for (let at = oldSize; at < size; at += 1) {
      const isLast = at + 1 === size || maps.includes(at + 1);
      if (this.#isSigned && isLast) log.addMap(at, entryOf(at, 'map'));
      else log.addEntry(at, entryOf(at));
    }
    const add = (path: string, bytes: Uint8Array): void =>
      void this.files.set(path, Buffer.from(bytes).toString('hex'));
    for (const path of writeTiles(log, oldSize, add)) {
      if (!this.files.delete(path)) throw new Error(`${path} is not there`);
    }
  }

  leaves(size: number): Uint8Array[] {
    return this.log.entries(0, size).map(leafHash);
  }

  /** The root of the first `size` entries, from files alone, as a client computes it. */
  rootFromFiles(size: number): Uint8Array {
    const read = (tile: Tile): Uint8Array => {
      const paths = [tile, { ...tile, width: TILE_WIDTH }].map((one) => `log/${tilePath(one)}`);
      const found = paths.map((path) => this.files.get(path)).find((text) => text !== undefined);
      if (found === undefined) throw new Error(`${paths[0]} is missing`);
      return Buffer.from(found, 'hex').subarray(0, tile.width * HASH_BYTES);
    };
    return treeRoot(size, hashesFromTiles(size, read));
  }
}

/** Paths of files of tiles that are not full. */
const partialIn = (files: Iterable<string>): string[] =>
  [...files].filter((path) => path.includes('.p/')).sort();

describe('a log that grows', () => {
  test.each([[1], [255], [256], [257], [700]])('has %d entries, a root and files', (size) => {
    const made = new GrowingLog();
    made.run(size);
    const { files, log } = made;
    expect(rootOf(log, size)).toEqual(definedRoot(made.leaves(size)));
    expect(files.size + 1).toBe(countLogFiles(log));
    const isFile = logFileTest(log);
    for (const path of files.keys()) {
      const parsed = parseIndexPath(path);
      expect(parsed?.kind === 'log' && isFile(parsed.path), path).toBe(true);
    }
  });

  test('has the same files in one run and in many, and those that each checkpoint needs', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(sizes, fc.boolean(), (steps, isSigned) => {
        const ends = steps.map((_, at) => steps.slice(0, at + 1).reduce((sum, n) => sum + n, 0));
        const [inSteps, whole] = [new GrowingLog(isSigned), new GrowingLog(isSigned)];
        for (const size of ends) {
          inSteps.run(size);
          const issued = isSigned ? ends.filter((end) => end <= size) : [size];
          for (const one of issued) {
            expect(inSteps.rootFromFiles(one)).toEqual(definedRoot(inSteps.leaves(one)));
          }
          expect(inSteps.files.size + 1).toBe(countLogFiles(inSteps.log));
        }
        whole.run(ends.at(-1)!, ends);
        expect(Object.fromEntries(inSteps.files)).toEqual(Object.fromEntries(whole.files));
      }),
      { numRuns: runs(80) },
    );
  });

  test('has no width that no checkpoint has', () => {
    const made = new GrowingLog();
    for (const size of [3, 40, 255, 300, 301, 580]) made.run(size);
    expect(partialIn(made.files.keys())).toEqual([
      'log/tile/0/002.p/68',
      'log/tile/1/000.p/1',
      'log/tile/1/000.p/2',
      'log/tile/entries/002.p/68',
    ]);
    made.run(600);
    expect(partialIn(made.files.keys())).toEqual([
      'log/tile/0/002.p/68',
      'log/tile/0/002.p/88',
      'log/tile/1/000.p/1',
      'log/tile/1/000.p/2',
      'log/tile/entries/002.p/68',
      'log/tile/entries/002.p/88',
    ]);
  });

  test('has widths above the leaves only for sizes that it had', () => {
    const made = new GrowingLog();
    for (const size of [100, 1500, 2100]) made.run(size);
    // 100 entries have no tile at level 1, 1500 have five hashes there, 2100 have eight.
    const above = partialIn(made.files.keys()).filter((path) => path.startsWith('log/tile/1/'));
    expect(above).toEqual(['log/tile/1/000.p/5', 'log/tile/1/000.p/8']);
  });

  test('keeps only the newest size while nobody signs it', () => {
    const made = new GrowingLog(false);
    for (const size of [10, 20, 21]) made.run(size);
    const widths = partialIn(made.files.keys());
    expect(widths.filter((path) => path.startsWith('log/tile/0/'))).toEqual([
      'log/tile/0/000.p/21',
    ]);
  });

  test('a bundle holds the entries of its tile', () => {
    const made = new GrowingLog();
    made.run(300);
    const bytes = Buffer.from(made.files.get('log/tile/entries/001.p/44')!, 'hex');
    expect(parseBundle(bytes, 44)).toEqual(made.log.entries(256, 300));
  });

  test('a file of another size is none of its files', () => {
    const isFile = (size: number, path: string): boolean => {
      const made = new GrowingLog();
      made.run(size);
      const parsed = parseIndexPath(`log/${path}`);
      return parsed?.kind === 'log' && logFileTest(made.log)(parsed.path);
    };
    expect(isFile(255, 'tile/0/000')).toBe(false);
    expect(isFile(255, 'tile/0/000.p/255')).toBe(true);
    expect(isFile(255, 'tile/0/000.p/254')).toBe(false);
    expect(isFile(256, 'tile/0/000')).toBe(true);
    expect(isFile(256, 'tile/0/001')).toBe(false);
    expect(isFile(256, 'tile/0/000.p/255')).toBe(false);
    expect(isFile(256, 'tile/entries/000.p/255')).toBe(false);
    expect(isFile(256, 'tile/1/000.p/2')).toBe(false);
    expect(isFile(256, 'tile/2/000.p/1')).toBe(false);
  });
});
