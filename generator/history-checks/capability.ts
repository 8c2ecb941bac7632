/** What a version can do that the version before it could not. */
import type { CapabilityLists } from '../../format/capabilities.ts';
import { finding } from '../../format/finding.ts';
import { compareVersions } from '../../format/semver-range.ts';
import type { HistoryCheck } from './history-check.ts';

const KINDS = {
  hosts: 'sends to',
  environment: 'reads the variable',
  reads: 'reads from',
  writes: 'writes to',
  processes: 'starts',
} as const satisfies Partial<Record<keyof CapabilityLists, string>>;
const MAX_SHOWN = 5;

export const capability: HistoryCheck = {
  name: 'capability',
  run: (id, facts, then) => {
    const lower = then
      .versionsOf(id)
      .filter((v) => compareVersions(v, facts.version) < 0)
      .sort(compareVersions);
    const version = lower.at(-1);
    const before = version === undefined ? undefined : then.factsOf(id, version)?.capabilities;
    if (version === undefined || before === undefined) return [];
    const now = facts.capabilities;
    const found = Object.entries(KINDS).flatMap(([kind, does]) => {
      const known = new Set(before[kind as keyof typeof KINDS]);
      const gained = now[kind as keyof typeof KINDS].filter((name) => !known.has(name));
      if (gained.length === 0) return [];
      const more = gained.length > MAX_SHOWN ? ` and ${gained.length - MAX_SHOWN} more` : '';
      const what = `${gained.slice(0, MAX_SHOWN).join(', ')}${more}`;
      return [finding('capability-gained', '', { version, does, what })];
    });
    if (now.dynamic_code && !before.dynamic_code) {
      const args = { version, does: 'runs', what: 'code that is made while it runs' };
      found.push(finding('capability-gained', '', args));
    }
    return found;
  },
};
