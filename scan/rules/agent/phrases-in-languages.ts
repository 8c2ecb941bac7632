/** Phrases that ask an agent to drop its instructions or to keep something from the user, beyond English. */
import { sequence, wordPattern, type WordGroup } from '../../parse/word-list.ts';
import {
  APPROVE,
  APPROVED,
  PROTECTION,
  READ_OR_SEND,
  SECRETS,
  SEND,
  TURN_OFF,
} from './phrase-words.ts';

/** A verb for "ignore", a gap, a noun for "instructions". */
export const OVERRIDES_IN_OTHER_LANGUAGES: readonly Phrase[] = [
  phrase(
    'override',
    [{ why: 'German', words: ['anweisungen', 'instruktionen', 'vorgaben', 'regeln', 'befehle'] }],
    {
      before: /\b(?:ignorier\w{0,3}|vergiss|vergessen sie|missachte\w{0,2})\b.{0,40}?\b/,
    },
  ),
  phrase(
    'override',
    [{ why: 'French', words: [/instructions?/, 'consignes', 'règles', 'directives'] }],
    {
      before: /\b(?:ignore[zr]?|oublie[zr]?|ne (?:tiens|tenez) (?:pas|aucun) compte)\b.{0,40}?\b/,
      after: / (?:précédentes?|antérieures|ci-dessus|système)/,
    },
  ),
  phrase(
    'override',
    [
      { why: 'Spanish', words: ['instrucciones', 'indicaciones', 'reglas', 'órdenes'] },
      { why: 'Portuguese', words: ['instruções', 'regras'] },
      { why: 'Italian', words: ['istruzioni', 'regole'] },
    ],
    {
      before: /\b(?:ignor[ae]n?|olvid[ae]n?|haz caso omiso|desest[ií]m[ae]|omit[ae])\b.{0,40}?\b/,
    },
  ),
  phrase(
    'override',
    [
      {
        why: 'Chinese, simplified and traditional',
        words: ['指令', '指示', '说明', /提示词?/, '規則', '规则', '命令', '要求'],
      },
    ],
    { before: /(?:忽略|无视|忽視|無視|忘记|忘掉|不要理会|不要遵守|不理会).{0,14}?/, flags: 'g' },
  ),
  phrase('override', [{ why: 'Russian', words: ['инструкци', 'указани', 'правил', 'команд'] }], {
    before:
      /(?:игнорируй(?:те)?|проигнорируй(?:те)?|забудь(?:те)?|не обращай(?:те)? внимания|отбрось(?:те)?).{0,40}?/,
  }),
  phrase(
    'override',
    [
      {
        why: 'Japanese: the verb stands last',
        words: [/(?:指示|命令|ルール|プロンプト|指令|規則).{0,8}?(?:無視|忘れ|従わない)/],
      },
      {
        why: 'Korean: the verb stands last',
        words: [/(?:이전|위의?|모든).{0,10}?(?:지시|명령|지침).{0,8}?(?:무시|잊)/],
      },
    ],
    { flags: 'g' },
  ),
];

/** "Do not tell the user" and "without asking the user". */
export const SECRECY_IN_OTHER_LANGUAGES: Phrase = phrase('secrecy', [
  {
    why: 'German',
    words: [
      /ohne (?:den |die )?(?:nutzer|benutzer|anwender)\w{0,3}.{0,20}?(?:zu (?:fragen|informieren))/,
      /sag\w{0,2} (?:dem|der) (?:nutzer|benutzer)\w{0,3} nichts/,
    ],
  },
  { why: 'French', words: [/ne (?:dis|dites|mentionne[zr]?) (?:rien|pas).{0,20}?utilisateur/] },
  { why: 'Spanish', words: [/no (?:se lo )?(?:digas|menciones|informes).{0,20}?usuario/] },
  { why: 'Chinese', words: [/不要(?:告诉|通知|提醒|询问)(?:用户|使用者)/] },
  { why: 'Russian', words: [/не (?:сообщай|говори)(?:те)? .{0,20}?пользовател/] },
  { why: 'Japanese', words: [/ユーザーに(?:は)?(?:知らせ|伝え|言わ)/] },
]);

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
export function phrase(
  intent: Intent,
  groups: readonly WordGroup[],
  { flags = 'gi', ...around }: Parameters<typeof wordPattern>[1] = {},
): Phrase {
  return { intent, pattern: wordPattern(groups, { flags, ...around }) };
}

/** In the order in which their matches count. */
export const ACTION_PHRASES: readonly Phrase[] = [
  phrase('credentials', SECRETS, {
    before: sequence([/\b/, READ_OR_SEND, /\b.{0,60}?/]),
  }),
  phrase(
    'sending',
    [
      { why: 'an address', words: [/https?:\/\//, 'webhook', 'endpoint', /\bserver/] },
      { why: 'a part of an address', words: [/query (?:string|parameter)/, /\burl\b/] },
      { why: 'a place that other people read', words: ['gist', /\bissue\b/, /\bcomment\b/] },
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
    },
  ),
  phrase('disarm', [
    {
      why: 'asks to turn off a protection',
      words: [sequence([/\b/, TURN_OFF, /\b.{0,30}?\b/, PROTECTION, /\b/])],
    },
    {
      why: 'options and variables that turn one off',
      words: [
        /--no-verify\b|NODE_TLS_REJECT_UNAUTHORIZED\s{0,3}=\s{0,3}["']?0|--disable-sandbox/,
        /--no-sandbox\b/,
      ],
    },
  ]),
  phrase('widen', [
    {
      why: 'options of coding agents that approve everything',
      words: [
        /--dangerously-skip-permissions|--dangerously-bypass-approvals|--yolo\b|--trust-all-tools/,
      ],
    },
    {
      why: 'settings of coding agents that approve everything',
      words: [
        /bypassPermissions/,
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
  ]),
];
