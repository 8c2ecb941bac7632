/**
 * Phrases of instructions that no honest documentation gives to a coding agent. Read by `intents.ts`; other
 * languages are in `phrases-in-languages.ts`. All patterns are linear: their gaps are bounded.
 */
import { wordPattern } from '../../parse/word-list.ts';
import type { WordGroup } from '../../parse/word-list.ts';
import {
  OVERRIDES_IN_OTHER_LANGUAGES,
  SECRECY_IN_OTHER_LANGUAGES,
} from './phrases-in-languages.ts';
import type { Phrase } from './phrase.ts';

const DROP = String.raw`(?:ignor(?:e|ing)|disregard(?:ing)?|forget(?:ting)?|discard|do not (?:follow|obey)|don't follow|stop following)`;
const EARLIER = String.raw`(?:previous|prior|earlier|preceding|original|initial|existing|system|former|above|your)`;
const ORDERS = String.raw`(?:instructions?|prompts?|guidelines|directives|directions|commands|rules|constraints|programming|safety (?:rules|guidelines)|context)`;
const USER = String.raw`(?:user|human|developer|operator|owner|maintainer|person|anyone|anybody|them)`;
const ALONE = String.raw`(?:tell|inform|mention|notify|alert|reveal|show|disclose|report|ask|explain|warn|display|announce|say|summari[sz]e|reference)`;
/** What only the user should have. */
const SECRETS: readonly WordGroup[] = [
  {
    why: 'the environment',
    words: [/\.env\b/, /environment variables?/, /env vars?/, 'process.env'],
  },
  {
    why: 'keys and tokens, by their files and names',
    words: [
      '~/.ssh',
      /\bssh keys?/,
      'id_rsa',
      'id_ed25519',
      '~/.aws',
      'aws credentials',
      /private keys?/,
    ],
  },
  { why: 'wallets', words: [/seed phrases?/, /mnemonics?/, /wallets?\b/] },
  {
    why: 'files with tokens of tools',
    words: ['.npmrc', '.netrc', '.git-credentials', 'mcp.json'],
  },
  {
    why: 'passwords that browsers and systems keep',
    words: ['browser cookies', 'keychain', 'password manager'],
  },
  {
    why: 'credentials of the user, by any name',
    words: [
      /(?:user'?s?|their|all|any|local|stored|available|saved) (?:\w+ ){0,2}(?:credentials?|secrets?|tokens?|passwords?|api[ _-]?keys?)/,
      /api[ _-]?keys? (?:you|in|from) /,
    ],
  },
  {
    why: 'what the agent itself knows',
    words: ['conversation history', 'chat history', 'system prompt'],
  },
];

/** The phrases, in the order in which their matches count. */
export const PHRASES: readonly Phrase[] = [
  {
    intent: 'override',
    pattern: new RegExp(
      String.raw`\b${DROP}\b(?: \w+){0,3}? (?:all |any |every |the |of |my |these |those |other ){0,4}${EARLIER}(?: (?:system|user|and|or|developer|safety|\w+)){0,3}? ${ORDERS}\b`,
      'gi',
    ),
  },
  {
    intent: 'override',
    pattern: new RegExp(
      String.raw`\b${DROP} (?:all|any|every)(?: of)?(?: the| other| your)? (?:instructions|directives|guidelines|restrictions|safeguards)\b`,
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
            /you are now (?:an?|the|my|dan|in \w+ mode|acting|operating|free|no longer|un\w+ed|allowed|authori[sz]ed|permitted|root|admin|called|named)\b/,
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
    pattern: new RegExp(
      String.raw`\b(?:do not|don't|never|must not|should not|avoid|without|no need to)\s+(?:ever )?${ALONE}(?:ing)?\b.{0,60}?\b(?:the |to |any )?${USER}\b`,
      'gi',
    ),
  },
  {
    intent: 'secrecy',
    pattern: wordPattern(
      [
        {
          why: 'the agent acts without the consent of the user',
          words: [
            /\bwithout (?:the )?(?:user'?s?|human'?s?|their|asking|any|prompting|requesting|seeking|waiting for) ?(?:\w+ )?(?:knowledge|consent|permission|approval|confirmation|noticing|awareness|for (?:confirmation|permission|approval))\b/,
          ],
        },
        {
          why: 'the user does not learn of it',
          words: [
            /\b(?:keep|make sure) .{0,40}? (?:hidden|secret|invisible) (?:from|to) (?:the )?(?:user|human|developer)/,
            /\b(?:the )?(?:user|human|developer) (?:must|should|does|will)(?: not|n't) (?:know|see|notice|be (?:told|aware|informed|asked))/,
            /\b(?:do not|don't) mention (?:this|these|that)\b/,
          ],
        },
      ],
      { flags: 'gi' },
    ),
  },
  SECRECY_IN_OTHER_LANGUAGES,
  {
    intent: 'credentials',
    pattern: wordPattern(SECRETS, {
      before:
        /\b(?:read|cat|open|print|collect|gather|copy|include|dump|extract|find|locate|search for|retrieve|get|list|encode|paste|append|attach|embed|send|upload|post|forward|leak|exfiltrate|transmit|submit)\b.{0,60}?/,
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
        before:
          /\b(?:send|upload|post|forward|exfiltrate|transmit|submit|leak|deliver|email|append|attach|include|embed|pass|commit|encode)(?:s|ing)?\b.{0,80}?\b(?:to|into|in|as|at|via|with)\b.{0,40}?/,
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
          words: [
            /\b(?:disable|skip|bypass|turn off|switch off|deactivate|remove|suppress|circumvent)\b.{0,30}?\b(?:security|safety|sandbox(?:ing)?|antivirus|defender|firewall|code review|signature (?:check|verification)|permission (?:checks?|prompts?)|(?:safety|security) (?:checks?|warnings?|filters?)|guard ?rails|confirmation prompts?|approval prompts?)\b/,
          ],
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
          words: [
            /\b(?:auto-?approve|automatically approve|always (?:approve|allow|accept|confirm)|approve (?:all|every|any)|grant (?:yourself|itself|the agent|full|all|unrestricted))\b.{0,40}?\b(?:commands?|tools?|permissions?|requests?|access|prompts?|changes|actions|calls)\b/,
          ],
        },
        { why: 'a permission for every command', words: [/\bBash\(\*(?::\*)?\)/] },
        {
          why: 'asks to run commands without the user',
          words: [
            /\b(?:run|execute) (?:all |any |every )?(?:commands?|it|them|this) (?:automatically|silently|immediately|without (?:asking|confirmation|approval|review))/,
          ],
        },
      ],
      { flags: 'gi' },
    ),
  },
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
            /^\s{0,8}#{0,4} ?(?:SYSTEM|ASSISTANT|IMPORTANT (?:FOR|TO|NOTE (?:FOR|TO)))\b.{0,20}?(?:PROMPT|MESSAGE|OVERRIDE|AI|AGENTS?|ASSISTANTS?|LLMS?)?:/,
          ],
        },
        {
          why: 'a duty of coding agents',
          words: [
            /\b(?:AI|LLM|coding|code|language|autonomous) (?:assistants?|agents?|models?)\b.{0,40}?\b(?:must|should|shall|have to|need to|are required|is required|reading|processing|:)/,
          ],
        },
        {
          why: 'a salutation',
          words: [
            /\b(?:if you are|as|dear|attention|note to|hey),? (?:an? |any |all )?(?:AI|LLM|assistant|agent|language model|coding agent|copilot|claude|chatgpt|gpt|cursor|codex|gemini)\b/,
            /\b(?:claude|copilot|cursor|chatgpt|codex|gemini)\b[:,] (?:you|please|do|must|run|execute|always|never|when)/,
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
            /\b(?:decode|decrypt|unbase64|base64[- ]?decode|atob)\b.{0,120}?\b(?:follow|execute|obey|(?<!`[\w ]{0,40})run(?! ?time)|carry out|comply|instructions)\b/,
          ],
        },
        {
          why: 'asks to follow what is encoded',
          words: [
            /\b(?:follow|execute|obey|carry out)\b.{0,60}?\b(?:decoded|base64|rot13|encoded) (?:instructions?|text|message|content|string|block)/,
          ],
        },
      ],
      { flags: 'gi' },
    ),
  },
];
