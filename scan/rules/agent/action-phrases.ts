/** English phrases that ask an agent to read secrets, to send something, to turn off checks, or to approve everything. */
import { sequence, wordPattern } from '../../parse/word-list.ts';
import {
  APPROVE,
  APPROVED,
  PROTECTION,
  READ_OR_SEND,
  SECRETS,
  SEND,
  TURN_OFF,
} from './phrase-words.ts';
import { type Phrase, phrase, phraseOf } from './phrase.ts';

/** In the order in which their matches count. */
export const ACTION_PHRASES: readonly Phrase[] = [
  phraseOf('credentials', [/\b/, READ_OR_SEND, /\b.{0,60}?/, wordPattern(/WORDS/, SECRETS)]),
  phraseOf('sending', [
    /\b/,
    SEND,
    /(?:s|ing)?\b.{0,80}?\b(?:to|into|in|as|at|via|with)\b.{0,40}?/,
    wordPattern(/WORDS/, {
      'an address': [/https?:\/\//, 'webhook', 'endpoint', /\bserver/],
      'a part of an address': [/query (?:string|parameter)/, /\burl\b/],
      'a place that other people read': ['gist', /\bissue\b/, /\bcomment\b/],
      'an argument of a tool, which its server reads': [/\bparameter\b/, /side ?note/],
      'another place that other people read': ['remote', 'pull request'],
    }),
  ]),
  phrase('disarm', {
    'asks to turn off a protection': [sequence([/\b/, TURN_OFF, /\b.{0,30}?\b/, PROTECTION, /\b/])],
    'options and variables that turn one off': [
      /--no-verify\b|NODE_TLS_REJECT_UNAUTHORIZED\s{0,3}=\s{0,3}["']?0|--disable-sandbox/,
      /--no-sandbox\b/,
    ],
  }),
  phrase('widen', {
    'options of coding agents that approve everything': [
      /--dangerously-skip-permissions|--dangerously-bypass-approvals|--yolo\b|--trust-all-tools/,
    ],
    'settings of coding agents that approve everything': [
      /bypassPermissions/,
      /"?(?:autoApprove|alwaysAllow|auto_approve)"?\s{0,3}[:=]\s{0,3}(?:true|\[\s{0,3}"\*)/,
    ],
    'asks to approve without the user': [sequence([/\b/, APPROVE, /\b.{0,40}?\b/, APPROVED, /\b/])],
    'a permission for every command': [/\bBash\(\*(?::\*)?\)/],
    'asks to run commands without the user': [
      sequence([
        /\b(?:run|execute) (?:all |any |every )?(?:commands?|it|them|this) /,
        /(?:automatically|silently|immediately|without (?:asking|confirmation|approval|review))/,
      ]),
    ],
  }),
];
