/** The texts of the findings about where code comes from and what it pulls in. See `finding-text.ts`. */
import type { FindingText } from '../finding-text.ts';

export const SUPPLY_CHAIN_TEXTS = {
  'capability-gained': {
    group: 'supply-chain',
    level: 'info',
    message: (a) => `The version ${a['does']} ${a['what']}, which ${a['version']} did not`,
    why: 'A build that is taken over shows it first in what a new version can do.',
    remedy: 'Nothing, if it is meant: say it in the changelog.',
  },
} as const satisfies Record<string, FindingText>;
