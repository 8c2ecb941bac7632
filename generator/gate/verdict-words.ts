/** The words for a verdict that its Markdown and its plain text share. */
import type { CapabilityLists } from '../../format/index/capabilities.ts';
import type { GateVerdict } from '../../format/registry/gate-verdict.ts';

export const HEADLINES: Readonly<Record<GateVerdict['verdict'], string>> = {
  merge: 'The gate merges this pull request',
  review: 'An admin looks at this pull request',
  refuse: 'This pull request cannot be merged as it is',
};

export const CAPABILITIES = {
  hosts: 'sends to',
  environment: 'reads variables',
  reads: 'reads paths',
  writes: 'writes paths',
  processes: 'starts programs',
  dynamic_code: 'runs code made while it runs',
  unread: 'has files that were not read',
} as const satisfies Record<Exclude<keyof CapabilityLists, 'language'>, string>;

/** What happens next with a pull request. */
export function describeNext(all: GateVerdict): string {
  const { verdict, review_hours: hours, waiting_hours: waiting } = all;
  if (verdict === 'merge') return 'Everything is as it should be.';
  if (verdict === 'refuse') return 'Push a commit that fixes it: the gate judges again.';
  if (waiting === undefined) return `Expect an answer within ${hours} hours.`;
  return `Unless an admin holds it, it is merged ${waiting} hours after the gate first reported this for this commit.`;
}
