/** Any version of a build after any other one: nothing of a version is left out, and no line of the user is lost. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyChanges } from '../../client/apply/transaction.ts';
import { targetPaths } from '../../client/plan/files.ts';
import type { BuildFile, FetchedBuild, OnConflict } from '../../client/plan/plan.ts';
import { readLock, takeSnapshot } from '../../client/project/project.ts';
import { checkFilePaths } from '../../format/build/file-path.ts';
import { LOCK_FILE } from '../../format/build/protected-path.ts';
import { runs } from '../run/runs.ts';
import { fetched, makePlan } from './edited-project-fixture.ts';
import { makeProject, treeOf } from './project-tree.ts';

/** Names in several letters; files and folders of one name. */
const PATHS = ['a.ts', 'A.ts', 'data', 'data/x', 'Data/x', 'data/sub/y.ts', 'lib/A.ts', 'b.bin'];

const line = fc.constantFrom('one', 'two', 'three', 'four', 'five', '=======');
const text = fc
  .tuple(fc.array(line, { maxLength: 12 }), fc.constantFrom('\n', '\r\n', '\0'))
  .map(([lines, end]) => Buffer.from(lines.map((one) => one + end).join('')));
const file = fc.record({ bytes: text, executable: fc.boolean() });
const version = fc
  .dictionary(fc.constantFrom(...PATHS), file, { minKeys: 1, maxKeys: 6 })
  .filter((files) => checkFilePaths(Object.keys(files)).length === 0);
/** A line put into the file at a place, which may be a new file; or the file deleted. */
const edit = fc.record({ path: fc.constantFrom(...PATHS, 'own.ts', 'data/own'), at: fc.nat(12) });

function build(version: string, files: Readonly<Record<string, BuildFile>>): FetchedBuild {
  const made = fetched('a/x', { version, base: 'src' });
  return { ...made, version, files: new Map(Object.entries(files)) };
}

async function put(
  project: string,
  next: FetchedBuild,
  base?: FetchedBuild,
  on_conflict: OnConflict = 'fail',
): Promise<void> {
  const lock = readLock(project);
  const old = Object.keys(lock?.builds['a/x']?.files ?? {});
  const state = await takeSnapshot(project, [...targetPaths([next]), ...old, LOCK_FILE]);
  const bases = new Map(base === undefined ? [] : [['a/x', base]]);
  const made = makePlan({ ...state, lock, builds: [next], bases, on_conflict, allow: ['program'] });
  await applyChanges(project, made.changes, made.commit, { emptied: made.emptied });
}

/** Carries the edits out that the project lets happen. @returns the lines that were put in */
function carryOut(project: string, edits: readonly { path: string; at: number }[]): string[] {
  return edits.flatMap(({ path, at }, index) => {
    const place = join(project, 'src', path);
    const mine = `of the user ${index}`;
    try {
      if (at === 12) return rmSync(place) ?? [];
      mkdirSync(dirname(place), { recursive: true });
      writeFileSync(place, '', { flag: 'a' });
      const lines = readFileSync(place, 'latin1').split('\n');
      writeFileSync(place, lines.toSpliced(at, 0, mine).join('\n'), 'latin1');
      return [mine];
    } catch {
      return [];
    }
  });
}

test('an update is as an install of the new version alone', { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(version, version, async (one, two) => {
      const [old, next] = [build('1.0.0', one), build('2.0.0', two)];
      const [updated, fresh] = [await makeProject({}), await makeProject({})];
      await put(updated, old);
      await put(updated, next, old);
      await put(fresh, next);
      expect(await treeOf(updated)).toEqual(await treeOf(fresh));
      for (const folder of [updated, fresh]) rmSync(folder, { recursive: true });
    }),
    { numRuns: runs(160) },
  );
});

test('no line of the user is lost in an update', { timeout: 600_000 }, async () => {
  const conflict = fc.constantFrom('fail', 'ours', 'markers');
  const edits = fc.array(edit, { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(version, version, edits, conflict, async (one, two, all, on_conflict) => {
      const [old, next] = [build('1.0.0', one), build('2.0.0', two)];
      const project = await makeProject({});
      await put(project, old);
      const lines = carryOut(project, all);
      const before = await treeOf(project);
      const kept = lines.filter((mine) => Object.values(before).join('').includes(mine));
      const error = await put(project, next, old, on_conflict).catch((thrown: Error) => thrown);
      const after = await treeOf(project);
      if (error instanceof Error) {
        expect(error.message).toMatch(/^Cannot (?:update|write)/);
        expect(after).toEqual(before);
      }
      const now = Object.values(after).join('');
      expect(kept.filter((mine) => !now.includes(mine))).toEqual([]);
      rmSync(project, { recursive: true });
    }),
    { numRuns: runs(160) },
  );
});
