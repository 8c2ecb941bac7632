import { rmSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LOCK_FILE } from '../../format/build/protected-path.ts';
import type { Lock } from '../../format/project/lock.ts';
import { makeProject } from '../../tests/client/project-tree.ts';
import { runs } from '../../tests/run/runs.ts';
import { mergeText } from '../edit/merge/merge-text.ts';
import { ClientError } from '../errors.ts';
import { readLock } from '../project/project.ts';
import { lockBytes } from './lock.ts';

type Versions = Readonly<Record<string, string>>;

function lockText(versions: Versions): string {
  const entries = Object.entries(versions).map(([id, version]) => {
    const integrity = `sha256-${Buffer.alloc(32, version + id).toString('base64')}`;
    const tables = { requires: {}, builds: {}, npm: {}, pip: {}, scripts: {}, env: {} };
    const file = { [`src/${id}.ts`]: { from: 'a.ts', integrity, mode: '644' } };
    const rest = { kind: 'module', required_by: [], license: 'MIT', base: 'src', provides: [] };
    return [id, { version, integrity, registry: 'default', files: file, ...rest, ...tables }];
  });
  const registries = { default: { address: 'https://registry.example' } };
  const lock = { lockVersion: 2, registries, builds: Object.fromEntries(entries), made: ['src/'] };
  return Buffer.from(lockBytes(lock as unknown as Lock) ?? '').toString();
}

const versions = fc.dictionary(
  fc.constantFrom('a/one', 'b/two', 'c/three', 'd/four'),
  fc.constantFrom('1.0.0', '1.1.0', '2.0.0'),
  { minKeys: 1 },
);

test('the sides of a lock are united, or the build that both changed is named', async () => {
  const shapes = fc.record({ hasBase: fc.boolean(), end: fc.constantFrom('\n', '\r\n') });
  await fc.assert(
    fc.asyncProperty(versions, versions, versions, shapes, async (base, ours, theirs, shape) => {
      const merge = mergeText(lockText(base), lockText(ours), lockText(theirs));
      fc.pre(merge.kind === 'conflict');
      const shown = shape.hasBase
        ? merge.text
        : merge.text.replaceAll(/^\|{7}[^]*?(?=^={7})/gm, '');
      const text = shown.replaceAll('\n', shape.end);
      const ids = Object.keys({ ...base, ...ours, ...theirs });
      const both = ids.filter((id) => {
        const isOneSided = shape.hasBase && [ours[id], theirs[id]].includes(base[id]);
        return ours[id] !== theirs[id] && !isOneSided;
      });
      const project = await makeProject({ [LOCK_FILE]: text });
      try {
        const builds = Object.entries(readLock(project)!.builds);
        const found = Object.fromEntries(builds.map(([id, { version }]) => [id, version]));
        const added = { ...ours, ...theirs };
        for (const id of ids) {
          const isOld = ours[id] === base[id];
          if (shape.hasBase) expect([id, found[id]]).toEqual([id, isOld ? theirs[id] : ours[id]]);
          else if (base[id] === undefined) expect(found[id]).toBe(added[id]);
        }
      } catch (error) {
        if (!(error instanceof ClientError)) throw error;
        expect(error.message).toContain('both sides changed');
        expect(both.some((id) => error.message.includes(`"${id}"`))).toBe(true);
      }
      rmSync(project, { recursive: true });
    }),
    { numRuns: runs(300) },
  );
});
