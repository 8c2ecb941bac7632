/** Verifies what a lock keeps of transparency logs, without network, by the keys that this user has seen. */
import { originOf } from '../../format/index/origin.ts';
import type { Lock } from '../../format/lock/lock.ts';
import { ClientError } from '../errors.ts';
import { keptLogs } from './kept-logs.ts';
import { lockedLogProblem } from '../registry/log/verify-locked.ts';

/** A build whose proof does not hold. */
interface LockedLogProblem {
  readonly build: string;
  readonly problem: string;
}

/** The builds of the lock whose proof does not hold, sorted by id; those without a proof are left out. */
export async function lockedLogProblems({
  registries,
  builds,
}: Lock): Promise<readonly LockedLogProblem[]> {
  const logs = keptLogs();
  const problems: LockedLogProblem[] = [];
  for (const [build, locked] of Object.entries(builds)) {
    if (locked.log === undefined) continue;
    const { origin, address, log: policy } = registries[locked.registry]!;
    const kept = await logs.read(origin ?? originOf(address));
    const former = kept?.former_keys?.find((key) => key === locked.log?.key);
    const problem = lockedLogProblem(build, locked, former ?? kept?.key ?? policy?.key);
    if (problem !== undefined) problems.push({ build, problem });
  }
  return problems.sort((a, b) => (a.build < b.build ? -1 : 1));
}

/** The error of a command that found such builds. */
export function unprovedError(problems: readonly LockedLogProblem[]): ClientError {
  const builds = problems.map(({ build }) => `"${build}"`).join(', ');
  return new ClientError('ERR_LOG', `The lock does not prove what it has of ${builds}`, {
    hint: 'stackyard.lock.json was edited, or it has the proof of another registry: restore it from git, or remove the build and add it again',
  });
}
