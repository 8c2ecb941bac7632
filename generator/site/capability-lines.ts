/** What the code of a version does, in words: one line for each kind of capability. */
import type { CapabilityLists } from '../../format/index/capabilities.ts';

const MAX_NAMES = 30;

const KINDS = {
  hosts: ['Sends to', 'any address that it is given'],
  environment: ['Reads variables', 'variables by a name that is not constant'],
  reads: ['Reads files', 'any path'],
  writes: ['Writes files', 'any path'],
  processes: ['Starts programs', 'programs by a name that is not constant'],
  unread: ['Was not read', 'everything'],
} as const;

/** One kind of capability: what the code does, and with what. */
export interface CapabilityLine {
  readonly does: string;
  /** Names in code; `undefined` for a name is whatever it is given. */
  readonly names: readonly string[];
  readonly any: string;
  readonly more: number;
}

/** What a version can do that another one cannot, in lines. */
export function capabilityLines(lists: CapabilityLists): CapabilityLine[] {
  const lines = Object.entries(KINDS).flatMap(([kind, [does, any]]) => {
    const names = lists[kind as keyof typeof KINDS];
    const more = Math.max(0, names.length - MAX_NAMES);
    return names.length === 0 ? [] : [{ does, any, names: names.slice(0, MAX_NAMES), more }];
  });
  const made = { does: 'Runs', any: 'code that it makes while it runs', names: ['*'], more: 0 };
  return lists.dynamic_code ? [...lines, made] : lines;
}
