import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LOCK_FILE } from '../../format/build/protected-path.ts';
import type { Lock } from '../../format/project/lock.ts';
import { makeProject } from '../../tests/client/project-tree.ts';
import { runs } from '../../tests/run/runs.ts';
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

/** What git has left of a merge: its sides in the index and text that is no JSON, or markers alone. */
function leave(project: string, sides: readonly string[], way: string, end: string): void {
  const [base, ours, theirs] = sides.map((side) => side.replaceAll('\n', end)) as [
    string,
    string,
    string,
  ];
  const middle = way === 'merge' ? '' : `||||||| 1a2b${end}${base}`;
  const marked = `<<<<<<< HEAD${end}${ours}${middle}=======${end}${theirs}>>>>>>> branch${end}`;
  writeFileSync(join(project, LOCK_FILE), way === 'index' ? ours + theirs : marked);
  if (way !== 'index') return;
  const git = (args: readonly string[], input = ''): string =>
    execFileSync('git', args, { cwd: project, input, encoding: 'utf8' }).trim();
  git(['init', '-q']);
  const entries = [base, ours, theirs].map((text, at) => {
    const blob = git(['hash-object', '-w', '--stdin', '--no-filters'], text);
    return `100644 ${blob} ${at + 1}\t${LOCK_FILE}\n`;
  });
  git(['update-index', '--index-info'], entries.join(''));
}

test('the sides of a lock are united, or the builds that both changed are named', async () => {
  const way = fc.constantFrom('index', 'diff3', 'merge');
  const end = fc.constantFrom('\n', '\r\n');
  await fc.assert(
    fc.asyncProperty(versions, versions, versions, way, end, async (base, ours, theirs, ...how) => {
      const project = await makeProject();
      leave(project, [base, ours, theirs].map(lockText), ...how);
      const hasBase = how[0] !== 'merge';
      const ids = Object.keys({ ...base, ...ours, ...theirs });
      const both = ids.filter((id) => {
        const isOneSided = hasBase
          ? [ours[id], theirs[id]].includes(base[id])
          : [ours[id], theirs[id]].includes(undefined);
        return ours[id] !== theirs[id] && !isOneSided;
      });
      const united = hasBase
        ? ids.map((id) => [id, ours[id] === base[id] ? theirs[id] : ours[id]])
        : Object.entries({ ...ours, ...theirs });
      try {
        const builds = Object.entries(readLock(project)!.builds);
        const found = Object.fromEntries(builds.map(([id, build]) => [id, build.version]));
        expect({ ...found, ...Object.fromEntries(both.map((id) => [id, 'both'])) }).toEqual(
          Object.fromEntries(united.filter(([, one]) => one !== undefined)),
        );
      } catch (error) {
        if (!(error instanceof ClientError)) throw error;
        const named = both.filter((id) => error.message.includes(`"${id}"`));
        expect([error.code, named.length > 0, named]).toEqual(['ERR_LOCK', true, both]);
      }
      rmSync(project, { recursive: true });
    }),
    { numRuns: runs(300) },
  );
});
