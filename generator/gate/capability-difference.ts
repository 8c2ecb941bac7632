/** What a version does that the one before did not, and the reverse. */
import type { CapabilityLists } from '../../format/capabilities.ts';
import type { Reason } from '../../format/gate-verdict.ts';
import { reason } from './reason.ts';

const KINDS = {
  hosts: 'sends to',
  environment: 'reads the variable',
  reads: 'reads from',
  writes: 'writes to',
  processes: 'starts',
  unread: 'has code that was not read:',
} as const satisfies Partial<Record<keyof CapabilityLists, string>>;
const MAX_SHOWN = 5;

/** Every capability of `now` that `before` has not. */
export function capabilitiesBeyond(now: CapabilityLists, before: CapabilityLists): CapabilityLists {
  const beyond = (kind: keyof typeof KINDS): string[] => {
    const known = new Set(before[kind]);
    return now[kind].filter((name) => !known.has(name));
  };
  return {
    hosts: beyond('hosts'),
    environment: beyond('environment'),
    reads: beyond('reads'),
    writes: beyond('writes'),
    processes: beyond('processes'),
    dynamic_code: now.dynamic_code && !before.dynamic_code,
    unread: beyond('unread'),
  };
}

/** @param version the version before */
export function capabilityReasons(
  gained: CapabilityLists,
  version: string,
  folder: string,
): Reason[] {
  const found = Object.entries(KINDS).flatMap(([kind, does]) => {
    const names = gained[kind as keyof typeof KINDS];
    if (names.length === 0) return [];
    const more = names.length > MAX_SHOWN ? ` and ${names.length - MAX_SHOWN} more` : '';
    const what = `${names.slice(0, MAX_SHOWN).join(', ')}${more}`;
    return [reason('gate-capability', folder, { version, does, what })];
  });
  if (gained.dynamic_code) {
    const args = { version, does: 'runs', what: 'code that is made while it runs' };
    found.push(reason('gate-capability', folder, args));
  }
  return found;
}
