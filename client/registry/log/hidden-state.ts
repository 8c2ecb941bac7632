/** Whether a head hides what the log has: versions and yanks. Pure. */
import type { Head } from '../../../format/index/head.ts';
import type { LogEntry } from '../../../format/log/entry.ts';

/** What the head of a build does not show of these entries, which are in the order of the log. */
export function hiddenProblem(head: Head, entries: readonly LogEntry[]): string | undefined {
  const versions = new Map(head.versions.map((version) => [version.version, version]));
  const yanked = new Map<string, boolean>();
  for (const entry of entries) {
    if (!('id' in entry) || entry.id !== head.id || !('version' in entry)) continue;
    const { type, version } = entry;
    const shown = versions.get(version);
    if (shown === undefined) return `it has "${head.id}" ${version}, and the registry hides it`;
    if (type !== 'publish') yanked.set(version, type === 'yank');
    else if (shown.integrity !== entry.integrity) {
      return `it has "${head.id}" ${version} with ${entry.integrity}, and the registry serves ${shown.integrity}`;
    }
  }
  for (const [version, isYanked] of yanked) {
    const isShown = versions.get(version)!.yanked !== false;
    if (isShown === isYanked) continue;
    const [logged, served] = [isYanked, isShown].map((is) => (is ? 'yanked' : 'not yanked'));
    return `it has "${head.id}" ${version} as ${logged}, and the registry shows it as ${served}`;
  }
  return undefined;
}
