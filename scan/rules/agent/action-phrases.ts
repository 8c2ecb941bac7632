/** Phrases that ask a coding agent to act: read secrets, send something, turn off protections, extend rights. */
import { sequence, wordPattern } from '../../parse/word-list.ts';
import type { Phrase } from './phrase.ts';
import {
  APPROVE,
  APPROVED,
  PROTECTION,
  READ_OR_SEND,
  SECRETS,
  SEND,
  TURN_OFF,
} from './phrase-words.ts';

/** In the order in which their matches count. */
export const ACTION_PHRASES: readonly Phrase[] = [
  {
    intent: 'credentials',
    pattern: wordPattern(SECRETS, {
      before: sequence([/\b/, READ_OR_SEND, /\b.{0,60}?/]),
      flags: 'gi',
    }),
  },
  {
    intent: 'sending',
    pattern: wordPattern(
      [
        { why: 'an address', words: [/https?:\/\//, 'webhook', 'endpoint', /\bserver/] },
        { why: 'a part of an address', words: [/query (?:string|parameter)/, /\burl\b/] },
        {
          why: 'a place that other people read',
          words: ['gist', /\bissue\b/, /\bcomment\b/],
        },
        {
          why: 'an argument of a tool, which its server reads',
          words: [/\bparameter\b/, /side ?note/],
        },
        { why: 'another place that other people read', words: ['remote', 'pull request'] },
      ],
      {
        before: sequence([
          /\b/,
          SEND,
          /(?:s|ing)?\b.{0,80}?\b(?:to|into|in|as|at|via|with)\b.{0,40}?/,
        ]),
        flags: 'gi',
      },
    ),
  },
  {
    intent: 'disarm',
    pattern: wordPattern(
      [
        {
          why: 'asks to turn off a protection',
          words: [sequence([/\b/, TURN_OFF, /\b.{0,30}?\b/, PROTECTION, /\b/])],
        },
        {
          why: 'options and variables that turn one off',
          words: [
            /--no-verify\b/,
            /NODE_TLS_REJECT_UNAUTHORIZED\s{0,3}=\s{0,3}["']?0/,
            '--disable-sandbox',
            /--no-sandbox\b/,
          ],
        },
      ],
      { flags: 'gi' },
    ),
  },
  {
    intent: 'widen',
    pattern: wordPattern(
      [
        {
          why: 'options of coding agents that approve everything',
          words: [
            '--dangerously-skip-permissions',
            '--dangerously-bypass-approvals',
            /--yolo\b/,
            '--trust-all-tools',
          ],
        },
        {
          why: 'settings of coding agents that approve everything',
          words: [
            'bypassPermissions',
            /"?(?:autoApprove|alwaysAllow|auto_approve)"?\s{0,3}[:=]\s{0,3}(?:true|\[\s{0,3}"\*)/,
          ],
        },
        {
          why: 'asks to approve without the user',
          words: [sequence([/\b/, APPROVE, /\b.{0,40}?\b/, APPROVED, /\b/])],
        },
        { why: 'a permission for every command', words: [/\bBash\(\*(?::\*)?\)/] },
        {
          why: 'asks to run commands without the user',
          words: [
            sequence([
              /\b(?:run|execute) (?:all |any |every )?(?:commands?|it|them|this) /,
              /(?:automatically|silently|immediately|without (?:asking|confirmation|approval|review))/,
            ]),
          ],
        },
      ],
      { flags: 'gi' },
    ),
  },
];
