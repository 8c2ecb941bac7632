/** Phrases that ask an agent to drop its instructions or to keep something from the user, beyond English. */
import { wordPattern } from '../../parse/word-list.ts';
import type { Phrase } from './phrase.ts';

/** A verb for "ignore", a gap, a noun for "instructions". */
export const OVERRIDES_IN_OTHER_LANGUAGES: readonly Phrase[] = [
  {
    intent: 'override',
    pattern: wordPattern(
      [{ why: 'German', words: ['anweisungen', 'instruktionen', 'vorgaben', 'regeln', 'befehle'] }],
      {
        before: /\b(?:ignorier\w{0,3}|vergiss|vergessen sie|missachte\w{0,2})\b.{0,40}?\b/,
        flags: 'gi',
      },
    ),
  },
  {
    intent: 'override',
    pattern: wordPattern(
      [{ why: 'French', words: [/instructions?/, 'consignes', 'règles', 'directives'] }],
      {
        before: /\b(?:ignore[zr]?|oublie[zr]?|ne (?:tiens|tenez) (?:pas|aucun) compte)\b.{0,40}?\b/,
        after: / (?:précédentes?|antérieures|ci-dessus|système)/,
        flags: 'gi',
      },
    ),
  },
  {
    intent: 'override',
    pattern: wordPattern(
      [
        { why: 'Spanish', words: ['instrucciones', 'indicaciones', 'reglas', 'órdenes'] },
        { why: 'Portuguese', words: ['instruções', 'regras'] },
        { why: 'Italian', words: ['istruzioni', 'regole'] },
      ],
      {
        before: /\b(?:ignor[ae]n?|olvid[ae]n?|haz caso omiso|desest[ií]m[ae]|omit[ae])\b.{0,40}?\b/,
        flags: 'gi',
      },
    ),
  },
  {
    intent: 'override',
    pattern: wordPattern(
      [
        {
          why: 'Chinese, simplified and traditional',
          words: ['指令', '指示', '说明', /提示词?/, '規則', '规则', '命令', '要求'],
        },
      ],
      {
        before: /(?:忽略|无视|忽視|無視|忘记|忘掉|不要理会|不要遵守|不理会).{0,14}?/,
        flags: 'g',
      },
    ),
  },
  {
    intent: 'override',
    pattern: wordPattern(
      [{ why: 'Russian', words: ['инструкци', 'указани', 'правил', 'команд'] }],
      {
        before:
          /(?:игнорируй(?:те)?|проигнорируй(?:те)?|забудь(?:те)?|не обращай(?:те)? внимания|отбрось(?:те)?).{0,40}?/,
        flags: 'gi',
      },
    ),
  },
  {
    intent: 'override',
    pattern: wordPattern(
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
  },
];

/** "Do not tell the user" and "without asking the user". */
export const SECRECY_IN_OTHER_LANGUAGES: Phrase = {
  intent: 'secrecy',
  pattern: wordPattern(
    [
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
    ],
    { flags: 'gi' },
  ),
};
