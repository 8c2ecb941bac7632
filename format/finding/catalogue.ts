/**
 * The English text of every finding: one table per group in `texts/`, combined here.
 * `docs/findings.md` is generated from it.
 */
import type { FindingText } from './texts/finding-text.ts';
import { AGENT_TEXTS } from './texts/agent.ts';
import { BEHAVIOUR_TEXTS } from './texts/behaviour.ts';
import { HIDDEN_CONTENT_TEXTS } from './texts/hidden-content.ts';
import { MANIFEST_TEXTS } from './texts/manifest.ts';
import { QUALITY_TEXTS } from './texts/quality.ts';
import { SAFETY_TEXTS } from './texts/safety.ts';
import { SUPPLY_CHAIN_TEXTS } from './texts/supply-chain.ts';
import { AUTO_RUN_TEXTS } from './texts/auto-run.ts';
import { WIRING_TEXTS } from './texts/wiring.ts';

/** Every finding that the registry knows, by code. */
export const FINDING_TEXTS = {
  ...MANIFEST_TEXTS,
  ...SAFETY_TEXTS,
  ...BEHAVIOUR_TEXTS,
  ...HIDDEN_CONTENT_TEXTS,
  ...AUTO_RUN_TEXTS,
  ...SUPPLY_CHAIN_TEXTS,
  ...AGENT_TEXTS,
  ...QUALITY_TEXTS,
  ...WIRING_TEXTS,
} as const satisfies Record<string, FindingText>;

/** A code of the catalogue; codes are never renamed and never change their meaning. */
export type FindingCode = keyof typeof FINDING_TEXTS;
