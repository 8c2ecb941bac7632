/** Builds that move to another id: what heads show, by the owner files of both sides, incrementally as in full. */
import { expect, it } from 'vitest';
import type { OwnerFile } from '../../format/registry/owner-file.ts';
import { build } from './git-fixture.ts';
import { readHead, readTree } from './index-reader.ts';
import { Regenerated } from './regenerated.ts';

const since = '2026-11-22';

function owner(name: string, file: OwnerFile): Record<string, string> {
  return { [`builds/${name}/owner.json`]: JSON.stringify(file) };
}

it('a move counts while the new owner accepts it, the new id has versions, and no way leads back', async () => {
  const made = new Regenerated();
  const { git, out } = made;
  /** What each head names as its new id, and the builds whose moves are faults. */
  const run = async (): Promise<[Record<string, string | undefined>, string[]]> => {
    const { problems } = await made.run();
    const ids = ['a/x', 'b/y', 'c/z'].filter((id) => `heads/${id}.json` in readTree(out));
    const moved = ids.map((id) => [id, readHead(out, id).moved?.to] as const);
    const faults = problems.failing.map(({ finding }) => `${finding.code} ${finding.args['id']}`);
    return [Object.fromEntries(moved.filter(([, to]) => to !== undefined)), faults];
  };
  const FAULT = 'owner-file-move';
  git.commit({
    ...build('a/x', '1.0.0'),
    ...owner('a', { moved: { x: { to: 'b/y', since } } }),
  });
  expect(await run()).toEqual([{}, [`${FAULT} a/x`]]);
  git.commit(owner('b', { accepts: { y: 'a/x' } }));
  expect(await run()).toEqual([{}, [`${FAULT} a/x`]]);
  git.commit(build('b/y', '1.0.0'));
  expect(await run()).toEqual([{ 'a/x': 'b/y' }, []]);

  // A chain; then a way back, which ends both moves.
  git.commit({ ...build('c/z', '1.0.0'), ...owner('c', { accepts: { z: 'b/y' } }) });
  git.commit(owner('b', { accepts: { y: 'a/x' }, moved: { y: { to: 'c/z', since } } }));
  expect(await run()).toEqual([{ 'a/x': 'b/y', 'b/y': 'c/z' }, []]);
  git.commit({
    ...owner('a', { moved: { x: { to: 'b/y', since } }, accepts: { x: 'c/z' } }),
    ...owner('c', { accepts: { z: 'b/y' }, moved: { z: { to: 'a/x', since } } }),
  });
  const [moved, faults] = await run();
  expect([moved, faults.sort()]).toEqual([{}, [`${FAULT} a/x`, `${FAULT} b/y`, `${FAULT} c/z`]]);

  // Without its acceptance a move is none, and the tarball stays where it was.
  git.commit({ ...owner('b', {}), ...owner('c', {}) });
  expect(await run()).toEqual([{}, [`${FAULT} a/x`]]);
  expect(Object.keys(readTree(out))).toContain('builds/a/x/1.0.0.tgz');
});
