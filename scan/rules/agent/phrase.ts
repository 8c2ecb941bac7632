/** One pattern of a phrase, and what text that matches it requests from a coding agent. */
import { sequence, wordPattern, type WordGroups } from '../../parse/word-list.ts';

/** What a phrase asks a coding agent, as findings say it. */
export const ASKS = {
  override: 'to drop earlier instructions',
  secrecy: 'to keep something from the user',
  credentials: 'to read secrets',
  sending: 'to send something away',
  disarm: 'to turn off checks',
  widen: 'to widen rights or approve everything',
  /** In words, or with the markers of a prompt. */
  address: 'what to do',
  decode: 'to decode something and follow it',
  fetch: 'to fetch and start what no check has seen',
  follow: 'to follow instructions from the network',
  settings: 'to change the settings of the agent',
  // The others are in `requests.ts`.
  key: 'to add a key',
  trust: 'to trust another certificate, host or registry',
  permission: 'to give more rights',
  reveal: 'to put what is private where others read it',
  push: 'to push or publish past a review',
  erase: 'to erase traces',
  install: 'to install from an address',
} as const;

export type Intent = keyof typeof ASKS;

/** One pattern (flag `g`), and the intent of text that matches it. */
export interface Phrase {
  readonly intent: Intent;
  readonly pattern: RegExp;
}

/** A request in any of the words, without regard to case. */
export function phrase(intent: Intent, groups: WordGroups): Phrase {
  return framed(intent, /WORDS/gi, groups);
}

/** A request in any of the words, with what `frame` has around them. */
export function framed(intent: Intent, frame: RegExp, groups: WordGroups): Phrase {
  return { intent, pattern: wordPattern(frame, groups) };
}

/** A request of `parts`, one directly after the other, without regard to case. */
export function phraseOf(intent: Intent, parts: readonly RegExp[]): Phrase {
  return { intent, pattern: sequence(parts, 'gi') };
}
