/**
 * Phrases of instructions that no legitimate documentation gives to a coding agent. Used by `intents.ts`; other
 * languages are in `phrases-in-languages.ts`. All patterns are linear: their gaps are bounded.
 */
import { sequence } from '../../parse/word-list.ts';
import {
  OVERRIDES_IN_OTHER_LANGUAGES,
  SECRECY_IN_OTHER_LANGUAGES,
} from './phrases-in-languages.ts';
import { ACTION_PHRASES } from './action-phrases.ts';
import { framed, phrase, phraseOf, type Phrase } from './phrase.ts';
import { REQUEST_PHRASES } from './requests.ts';
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
import { FETCH_PHRASES } from './fetch-phrases.ts';

/** The phrases, in the order in which their matches count. */
export const PHRASES: readonly Phrase[] = [
  phraseOf('override', [
    /\b/,
    DROP,
    /\b(?: \w+){0,3}? (?:all |any |every |the |of |my |these |those |other ){0,4}/,
    EARLIER,
    /(?: (?:system|user|and|or|developer|safety|\w+)){0,3}? /,
    ORDERS,
    /\b/,
  ]),
  phraseOf('override', [
    /\b/,
    DROP,
    / (?:all|any|every)(?: of)?(?: the| other| your)? /,
    /(?:instructions|directives|guidelines|restrictions|safeguards)\b/,
  ]),
  phraseOf('override', [
    /\b/,
    DROP,
    / (?:all |any )?(?:the )?/,
    ORDERS,
    / (?:of|from|by) (?:the |your )?/,
    USER,
  ]),
  framed(
    'override',
    /\b(?:these|this|the following) (?:instructions?|rules?|directives?) WORDS\b/gi,
    {
      'the text claims to be above other instructions': [
        /override|supersede|replace|take (?:precedence|priority) over|have priority over/,
      ],
    },
  ),
  framed('override', /\bWORDS/gi, {
    'gives the agent another role': [
      sequence([/you are now /, NEW_ROLE, /\b/]),
      /from now on,? you (?:are|will)/,
      /act as if you (?:have|had) no/,
    ],
    'gives the agent other instructions, or a mode without its rules': [
      /new (?:system )?instructions?:/,
      /enter(?:ing)? (?:developer|debug|god|admin|maintenance) mode/,
    ],
  }),
  ...OVERRIDES_IN_OTHER_LANGUAGES,
  phraseOf('secrecy', [
    /\b(?:do not|don't|never|must not|should not|avoid|without|no need to)\s+(?:ever )?/,
    INFORM,
    /(?:ing)?\b.{0,60}?\b(?:the |to |any )?/,
    USER,
    /\b/,
  ]),
  phrase('secrecy', {
    'the agent acts without the consent of the user': [
      sequence([/\bwithout (?:the )?/, WHOSE_CONSENT, / ?(?:\w+ )?/, CONSENT, /\b/]),
    ],
    'the user does not learn of it': [
      /\b(?:keep|make sure) .{0,40}? (?:hidden|secret|invisible) (?:from|to) (?:the )?(?:user|human|developer)/,
      /\b(?:the )?(?:user|human|developer) (?:must|should|does|will)(?: not|n't) (?:know|see|notice|be (?:told|aware|informed|asked))/,
      /\b(?:do not|don't) mention (?:this|these|that)\b/,
    ],
  }),
  SECRECY_IN_OTHER_LANGUAGES,
  ...ACTION_PHRASES,
  ...FETCH_PHRASES,
  ...REQUEST_PHRASES,
  framed('address', /WORDS/gim, {
    'the marks that part the messages of a prompt': [
      /<\/?(?:system|important|instructions?|assistant|secret|system-reminder|admin)>/,
      /\[\/?(?:INST|SYSTEM)\]/,
      /<\|(?:im_start|system|endoftext)\|>/,
      sequence([
        /^\s{0,8}#{0,4} ?(?:SYSTEM|ASSISTANT|IMPORTANT (?:FOR|TO|NOTE (?:FOR|TO)))\b/,
        /.{0,20}?(?:PROMPT|MESSAGE|OVERRIDE|AI|AGENTS?|ASSISTANTS?|LLMS?)?:/,
      ]),
    ],
    'a duty of coding agents': [
      sequence([
        /\b(?:AI|LLM|coding|code|language|autonomous) (?:assistants?|agents?|models?)\b/,
        /.{0,40}?\b/,
        DUTY,
      ]),
    ],
    'a salutation': [
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
  }),
  phrase('decode', {
    'asks to decode something and to follow it': [
      sequence([
        /\b(?:decode|decrypt|unbase64|base64[- ]?decode|atob)\b.{0,120}?\b/,
        /(?:follow|execute|obey|(?<!`[\w ]{0,40})run(?! ?time)|carry out|comply|instructions)\b/,
      ]),
    ],
    'asks to follow what is encoded': [
      sequence([
        /\b(?:follow|execute|obey|carry out)\b.{0,60}?\b/,
        /(?:decoded|base64|rot13|encoded) (?:instructions?|text|message|content|string|block)/,
      ]),
    ],
  }),
];
