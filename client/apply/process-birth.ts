/** Whether a process has ended: its id may be that of another one by now. */
import { readFile } from 'node:fs/promises';
import { hasCode } from '../project/safe-path.ts';

/** Boot and start time of a process, from /proc on Linux; `undefined` elsewhere. */
export async function birthOf(pid: number): Promise<string | undefined> {
  try {
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8');
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The second field, the program's name in parentheses, may contain spaces: count from its end.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie has ended; only its parent has not read its status yet.
    if (fields[0] === 'Z' || fields[0] === 'X') return 'ended';
    const started = fields[19];
    return started === undefined ? undefined : `${boot.trim()}:${started}`;
  } catch {
    return undefined;
  }
}

/**
 * Whether the process `pid` of this host has ended.
 * @param isSame compares its birth with that of the process that now has the id
 */
export async function hasEnded(pid: number, isSame: (birth: string) => boolean): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it is running and belongs to another user.
    return hasCode(error, 'ESRCH');
  }
  const birth = await birthOf(pid);
  return birth !== undefined && !isSame(birth);
}
