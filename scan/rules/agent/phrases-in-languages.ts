/** Phrases that ask an agent to drop its instructions or to keep something from the user, beyond English. */
import { sequence, wordPattern, type WordGroups, wordsOf } from '../../parse/word-list.ts';
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
  framed(
    'override',
    /\b(?:ignorier\w{0,3}|vergiss|vergessen sie|missachte\w{0,2})\b.{0,40}?\bWORDS/gi,
    { German: ['anweisungen', 'instruktionen', 'vorgaben', 'regeln', 'befehle'] },
  ),
  framed(
    'override',
    /\b(?:ignore[zr]?|oublie[zr]?|ne (?:tiens|tenez) (?:pas|aucun) compte)\b.{0,40}?\bWORDS (?:précédentes?|antérieures|ci-dessus|système)/gi,
    { French: [/instructions?/, 'consignes', 'règles', 'directives'] },
  ),
  framed(
    'override',
    /\b(?:ignor[ae]n?|olvid[ae]n?|haz caso omiso|desest[ií]m[ae]|omit[ae])\b.{0,40}?\bWORDS/gi,
    {
      Spanish: ['instrucciones', 'indicaciones', 'reglas', 'órdenes'],
      Portuguese: ['instruções', 'regras'],
      Italian: ['istruzioni', 'regole'],
    },
  ),
  framed('override', /(?:忽略|无视|忽視|無視|忘记|忘掉|不要理会|不要遵守|不理会).{0,14}?WORDS/g, {
    'Chinese, simplified and traditional': [
      ...wordsOf(['指令 指示 说明']),
      /提示词?/,
      ...wordsOf(['規則 规则 命令 要求']),
    ],
  }),
  framed(
    'override',
    /(?:игнорируй(?:те)?|проигнорируй(?:те)?|забудь(?:те)?|не обращай(?:те)? внимания|отбрось(?:те)?).{0,40}?WORDS/gi,
    { Russian: ['инструкци', 'указани', 'правил', 'команд'] },
  ),
  framed('override', /WORDS/g, {
    'Japanese: the verb stands last': [
      /(?:指示|命令|ルール|プロンプト|指令|規則).{0,8}?(?:無視|忘れ|従わない)/,
    ],
    'Korean: the verb stands last': [
      /(?:이전|위의?|모든).{0,10}?(?:지시|명령|지침).{0,8}?(?:무시|잊)/,
    ],
  }),
];

/** "Do not tell the user" and "without asking the user". */
export const SECRECY_IN_OTHER_LANGUAGES: Phrase = phrase('secrecy', {
  German: [
    /ohne (?:den |die )?(?:nutzer|benutzer|anwender)\w{0,3}.{0,20}?(?:zu (?:fragen|informieren))/,
    /sag\w{0,2} (?:dem|der) (?:nutzer|benutzer)\w{0,3} nichts/,
  ],
  French: [/ne (?:dis|dites|mentionne[zr]?) (?:rien|pas).{0,20}?utilisateur/],
  Spanish: [/no (?:se lo )?(?:digas|menciones|informes).{0,20}?usuario/],
  Chinese: [/不要(?:告诉|通知|提醒|询问)(?:用户|使用者)/],
  Russian: [/не (?:сообщай|говори)(?:те)? .{0,20}?пользовател/],
  Japanese: [/ユーザーに(?:は)?(?:知らせ|伝え|言わ)/],
});

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

/** In the order in which their matches count. */
export const ACTION_PHRASES: readonly Phrase[] = [
  {
    intent: 'credentials',
    pattern: sequence([/\b/, READ_OR_SEND, /\b.{0,60}?/, wordPattern(/WORDS/, SECRETS)], 'gi'),
  },
  {
    intent: 'sending',
    pattern: sequence(
      [
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
      ],
      'gi',
    ),
  },
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
