import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mkdtempSync, rmSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parseIndexPath } from '../../format/index/layout.ts';
import { leafHash } from '../../format/log/hash.ts';
import { definedRoot } from '../../format/log/made-tree.ts';
import { parseBundle } from '../../format/log/entry-bundle.ts';
import { State } from '../state/state.ts';
import { countLogFiles, isLogFile, outgrownFolders } from './log-files.ts';
import { rootOf, writeTiles } from './write-log.ts';

function openState(): State {
  const folder = mkdtempSync(join(tmpdir(), 'stackyard-test-'));
  const state = State.open(join(folder, 'state.sqlite'));
  onTestFinished(() => {
    state.close();
    rmSync(folder, { recursive: true });
  });
  return state;
}

const entryOf = (at: number): Uint8Array => new TextEncoder().encode(`entry ${at}`);

/** The files of a log that grows to each of `sizes`, as the index keeps them. */
function grow(sizes: readonly number[]): { files: Map<string, string>; root: Uint8Array } {
  const { log } = openState();
  const files = new Map<string, string>();
  let size = 0;
  for (const next of sizes) {
    for (let at = size; at < next; at += 1) log.addEntry(at, entryOf(at));
    writeTiles(
      log,
      size,
      (path, bytes) => void files.set(path, Buffer.from(bytes).toString('hex')),
    );
    const outgrown = outgrownFolders(size, next);
    for (const path of files.keys()) {
      if (outgrown.some((folder) => path.startsWith(`${folder}/`))) files.delete(path);
    }
    size = next;
  }
  return { files, root: rootOf(log, size) };
}

describe('a log that grows', () => {
  test.each([[1], [255], [256], [257], [700]])('has %d entries, a root and files', (size) => {
    const { files, root } = grow([size]);
    expect(root).toEqual(
      definedRoot(Array.from({ length: size }, (_, at) => leafHash(entryOf(at)))),
    );
    expect(files.size + 1).toBe(countLogFiles(size));
    for (const path of files.keys()) {
      const parsed = parseIndexPath(path);
      expect(parsed?.kind === 'log' && isLogFile(size, parsed.path), path).toBe(true);
    }
  });

  test('has the same files in one step and in many', () => {
    const whole = grow([600]);
    const steps = grow([1, 3, 255, 256, 256, 511, 600]);
    expect(steps.root).toEqual(whole.root);
    expect(Object.fromEntries(steps.files)).toEqual(Object.fromEntries(whole.files));
  });

  test('a bundle holds the entries of its tile', () => {
    const { files } = grow([300]);
    const bytes = Buffer.from(files.get('log/tile/entries/001.p/44')!, 'hex');
    expect(parseBundle(bytes, 44).map((e) => new TextDecoder().decode(e))).toEqual(
      Array.from({ length: 44 }, (_, at) => `entry ${256 + at}`),
    );
  });

  test('a file of another size is none of its files', () => {
    const isFile = (size: number, path: string): boolean => {
      const parsed = parseIndexPath(`log/${path}`);
      return parsed?.kind === 'log' && isLogFile(size, parsed.path);
    };
    expect(isFile(255, 'tile/0/000')).toBe(false);
    expect(isFile(255, 'tile/0/000.p/255')).toBe(true);
    expect(isFile(256, 'tile/0/000.p/255')).toBe(false);
    expect(isFile(256, 'tile/entries/000.p/255')).toBe(false);
    expect(isFile(256, 'tile/1/000.p/2')).toBe(false);
    expect(isFile(256, 'tile/2/000.p/1')).toBe(false);
  });
});
