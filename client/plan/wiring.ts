/** What the wiring of builds changes, as a part of a plan. Pure. */
import type { Lock } from '../../format/lock/lock.ts';
import { ClientError } from '../errors.ts';
import type { Overlay } from './overlay.ts';
import type { PlannedWiring } from './planned-wiring.ts';

/** Puts the changed files into `overlay`. @throws {ClientError} `ERR_CONFLICT` */
export function applyWiring(wired: PlannedWiring, overlay: Overlay): void {
  const { conflicts, files } = wired;
  if (conflicts.length > 0) {
    const listed = conflicts.map(({ build, step, file, why }) => {
      return `step ${step} of "${build}" in ${file} (${why})`;
    });
    const steps = conflicts.map(({ text }) => text).join('\n');
    throw new ClientError('ERR_CONFLICT', `Cannot wire again: ${listed.join(', ')}`, {
      hint: `carry the step out by hand, then --conflict ours keeps your text:\n${steps}`,
    });
  }
  for (const [path, text] of files) {
    if (text === undefined) overlay.drop(path);
    else overlay.put(path, Buffer.from(text));
  }
}

/** `lock` with what is wired now. */
export function withWiring(lock: Lock, { locked }: Pick<PlannedWiring, 'locked'>): Lock {
  const builds = { ...lock.builds };
  for (const [id, wiring] of locked) {
    const build = builds[id];
    if (build === undefined) continue;
    const { wiring: _, ...rest } = build;
    builds[id] = wiring === undefined ? rest : { ...rest, wiring: [...wiring] };
  }
  return { ...lock, builds };
}
