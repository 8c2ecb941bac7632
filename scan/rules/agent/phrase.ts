/** One pattern of a phrase, and what text that matches it requests from a coding agent. */
import { wordPattern, type WordGroups } from '../../parse/word-list.ts';

/** What a phrase requests from a coding agent. Types only. */
export type Intent =
  /** Earlier instructions are to be dropped. */
  | 'override'
  /** The user is not to know, or not to be asked. */
  | 'secrecy'
  /** What only the user should have is to be read out. */
  | 'credentials'
  /** Something is to be sent somewhere. */
  | 'sending'
  /** Checks are to be turned off. */
  | 'disarm'
  /** Rights are to be extended, or everything approved. */
  | 'widen'
  /** The text addresses an agent, in words or with the markers of a prompt. */
  | 'address'
  /** Something that no check has seen is to be fetched and started. */
  | 'fetch'
  /** What a page on the network contains is to be done. */
  | 'follow'
  /** The settings of the agent are to be changed. */
  | 'settings'
  /** Something encoded is to be decoded and followed. */
  | 'decode'
  /** See `requests.ts`. */
  | 'key'
  | 'trust'
  | 'permission'
  | 'reveal'
  | 'push'
  | 'erase'
  | 'install';

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
