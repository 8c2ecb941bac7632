/** Phrases that ask an agent to drop its instructions or to keep something from the user, beyond English. */
import { wordsOf } from '../../parse/word-list.ts';
import { type Phrase, phrase, framed } from './phrase.ts';

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
