/** The texts of the findings about where code comes from and what it pulls in. See `finding-text.ts`. */
import type { FindingText } from '../finding-text.ts';

export const SUPPLY_CHAIN_TEXTS = {} as const satisfies Record<string, FindingText>;
