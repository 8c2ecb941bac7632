/**
 * Phrases of instructions that no legitimate documentation gives to a coding agent. Used by `intents.ts`; other
 * languages are in `phrases-in-languages.ts`. All patterns are linear: their gaps are bounded.
 */
import { sequence, wordPattern } from '../../parse/word-list.ts';
import {
  OVERRIDES_IN_OTHER_LANGUAGES,
  SECRECY_IN_OTHER_LANGUAGES,
} from './phrases-in-languages.ts';
import type { Phrase } from './phrase.ts';
import { ACTION_PHRASES } from './action-phrases.ts';
import { FETCH_PHRASES } from './fetch-phrases.ts';
import {
  AGENT,
  CONSENT,
  DROP,
  DUTY,
  EARLIER,
  INFORM,
  NEW_ROLE,
  ORDERS,
  USER,
  WHOSE_CONSENT,
} from './phrase-words.ts';

/** The phrases, in the order in which their matches count. */
export const PHRASES: readonly Phrase[] = [
  {
    intent: 'override',
    pattern: sequence(
      [
        /\b/,
        DROP,
        /\b(?: \w+){0,3}? (?:all |any |every |the |of |my |these |those |other ){0,4}/,
        EARLIER,
        /(?: (?:system|user|and|or|developer|safety|\w+)){0,3}? /,
        ORDERS,
        /\b/,
      ],
      'gi',
    ),
  },
  {
    intent: 'override',
    pattern: sequence(
      [
        /\b/,
        DROP,
        / (?:all|any|every)(?: of)?(?: the| other| your)? /,
        /(?:instructions|directives|guidelines|restrictions|safeguards)\b/,
      ],
      'gi',
    ),
  },
  {
    intent: 'override',
    pattern: wordPattern(
      [
        {
          why: 'the text claims to be above other instructions',
          words: [
            'override',
            'supersede',
            'replace',
            /take (?:precedence|priority) over/,
            'have priority over',
          ],
        },
      ],
      {
        before: /\b(?:these|this|the following) (?:instructions?|rules?|directives?) /,
        after: /\b/,
        flags: 'gi',
      },
    ),
  },
  {
    intent: 'override',
    pattern: wordPattern(
      [
        {
          why: 'gives the agent another role',
          words: [
            sequence([/you are now /, NEW_ROLE, /\b/]),
            /from now on,? you (?:are|will)/,
            /act as if you (?:have|had) no/,
          ],
        },
        {
          why: 'gives the agent other instructions, or a mode without its rules',
          words: [
            /new (?:system )?instructions?:/,
            /enter(?:ing)? (?:developer|debug|god|admin|maintenance) mode/,
          ],
        },
      ],
      { before: /\b/, flags: 'gi' },
    ),
  },
  ...OVERRIDES_IN_OTHER_LANGUAGES,
  {
    intent: 'secrecy',
    pattern: sequence(
      [
        /\b(?:do not|don't|never|must not|should not|avoid|without|no need to)\s+(?:ever )?/,
        INFORM,
        /(?:ing)?\b.{0,60}?\b(?:the |to |any )?/,
        USER,
        /\b/,
      ],
      'gi',
    ),
  },
  {
    intent: 'secrecy',
    pattern: wordPattern(
      [
        {
          why: 'the agent acts without the consent of the user',
          words: [sequence([/\bwithout (?:the )?/, WHOSE_CONSENT, / ?(?:\w+ )?/, CONSENT, /\b/])],
        },
        {
          why: 'the user does not learn of it',
          words: [
            /\b(?:keep|make sure) .{0,40}? (?:hidden|secret|invisible) (?:from|to) (?:the )?(?:user|human|developer)/,
            // allow-word told: matches phrases of attacks
            /\b(?:the )?(?:user|human|developer) (?:must|should|does|will)(?: not|n't) (?:know|see|notice|be (?:told|aware|informed|asked))/,
            /\b(?:do not|don't) mention (?:this|these|that)\b/,
          ],
        },
      ],
      { flags: 'gi' },
    ),
  },
  SECRECY_IN_OTHER_LANGUAGES,
  ...ACTION_PHRASES,
  ...FETCH_PHRASES,
  {
    intent: 'address',
    pattern: wordPattern(
      [
        {
          why: 'the marks that part the messages of a prompt',
          words: [
            /<\/?(?:system|important|instructions?|assistant|secret|system-reminder|admin)>/,
            /\[\/?(?:INST|SYSTEM)\]/,
            /<\|(?:im_start|system|endoftext)\|>/,
            sequence([
              /^\s{0,8}#{0,4} ?(?:SYSTEM|ASSISTANT|IMPORTANT (?:FOR|TO|NOTE (?:FOR|TO)))\b/,
              /.{0,20}?(?:PROMPT|MESSAGE|OVERRIDE|AI|AGENTS?|ASSISTANTS?|LLMS?)?:/,
            ]),
          ],
        },
        {
          why: 'a duty of coding agents',
          words: [
            sequence([
              /\b(?:AI|LLM|coding|code|language|autonomous) (?:assistants?|agents?|models?)\b/,
              /.{0,40}?\b/,
              DUTY,
            ]),
          ],
        },
        {
          why: 'a salutation',
          words: [
            sequence([
              /\b(?:if you are|as|dear|attention|note to|hey),? (?:an? |any |all )?/,
              AGENT,
              /\b/,
            ]),
            sequence([
              /\b(?:claude|copilot|cursor|chatgpt|codex|gemini)\b[:,] /,
              /(?:you|please|do|must|run|execute|always|never|when)/,
            ]),
          ],
        },
      ],
      { flags: 'gim' },
    ),
  },
  {
    intent: 'decode',
    pattern: wordPattern(
      [
        {
          why: 'asks to decode something and to follow it',
          words: [
            sequence([
              /\b(?:decode|decrypt|unbase64|base64[- ]?decode|atob)\b.{0,120}?\b/,
              /(?:follow|execute|obey|(?<!`[\w ]{0,40})run(?! ?time)|carry out|comply|instructions)\b/,
            ]),
          ],
        },
        {
          why: 'asks to follow what is encoded',
          words: [
            sequence([
              /\b(?:follow|execute|obey|carry out)\b.{0,60}?\b/,
              /(?:decoded|base64|rot13|encoded) (?:instructions?|text|message|content|string|block)/,
            ]),
          ],
        },
      ],
      { flags: 'gi' },
    ),
  },
];
