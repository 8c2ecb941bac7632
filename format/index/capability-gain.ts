/** What a version can do that another cannot, as data and in words. */
import type { CapabilityLists } from './capabilities.ts';

const KINDS = {
  hosts: 'sends to',
  environment: 'reads the variable',
  reads: 'reads from',
  writes: 'writes to',
  processes: 'starts',
} as const satisfies Partial<Record<keyof CapabilityLists, string>>;
const MAX_SHOWN = 5;

/** Every capability of `now` that `before` does not have. */
export function capabilitiesBeyond(now: CapabilityLists, before: CapabilityLists): CapabilityLists {
  const beyond = (kind: keyof typeof KINDS | 'unread'): string[] => {
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

/** One kind of capability in words: `does` is the verb, `what` the first few names. */
interface CapabilityPhrase {
  readonly does: string;
  readonly what: string;
}

/** In words; a file that was not read is none: the checks and the gate name it. */
export function capabilityPhrases(gained: CapabilityLists): CapabilityPhrase[] {
  const phrases: CapabilityPhrase[] = Object.entries(KINDS).flatMap(([kind, does]) => {
    const names = gained[kind as keyof typeof KINDS];
    if (names.length === 0) return [];
    const more = names.length > MAX_SHOWN ? ` and ${names.length - MAX_SHOWN} more` : '';
    return [{ does, what: `${names.slice(0, MAX_SHOWN).join(', ')}${more}` }];
  });
  if (gained.dynamic_code) {
    phrases.push({ does: 'runs', what: 'code that is made while it runs' });
  }
  return phrases;
}
