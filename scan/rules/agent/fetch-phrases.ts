/**
 * Phrases that ask an agent, or a person whom it guides, to fetch what no check has seen: an archive with a password, a
 * command from a paste site, whatever a page contains; and to change the agent's own settings.
 */
import { sequence } from '../../parse/word-list.ts';
import { phrase, type Phrase } from './phrase.ts';

const ARCHIVE = /(?:\.(?:zip|7z|rar)\b|\b(?:zip|7z|rar|archive)\b)/;

/** In the order in which their matches count. */
export const FETCH_PHRASES: readonly Phrase[] = [
  phrase('fetch', {
    English: [
      sequence([
        /\b(?:download|fetch|get|grab|extract|unzip|unpack|install|open)\b.{0,160}?/,
        ARCHIVE,
        /[^]{0,160}?\b(?:password|passphrase|pass|pwd)\b\s{0,3}(?:[:=`"'(]|is\b)/,
      ]),
      sequence([
        /\b(?:extract|unzip|unpack|decompress)\b.{0,80}?\b(?:with|using) (?:the )?(?:pass(?:word|phrase)?|pwd)\b/,
      ]),
    ],
    'German, Spanish, Portuguese, French, Italian': [
      sequence([
        /(?:\b(?:lade|herunterladen|entpacke|descarg|desc[áa]rgal|extra[eiy]|baix[ae]|t[ée]l[ée]charge|scarica|estrai)\w{0,4}).{0,160}?/,
        /(?:\.(?:zip|7z|rar)\b|\b(?:archiv|archivo|arquivo|archive|archivio|zip)\b)/,
        /[^]{0,160}?(?:passwort|kennwort|contrase[ñn]a|senha|mot de passe|password)/,
      ]),
    ],
    Chinese: [/(?:下载|下載|解压|解壓).{0,80}?(?:密码|密碼)/],
    Russian: [/(?:скача|загрузи|распаку|извлек)\S{0,6}.{0,120}?парол/],
    Japanese: [/(?:zip|アーカイブ|ファイル).{0,80}?パスワード.{0,60}?(?:解凍|展開)/],
  }),
  phrase('fetch', {
    'a command from a site where anybody leaves text': [
      sequence([
        /\b(?:copy|paste|run|execute|visit|open|go to|get|fetch|use)\b.{0,120}?/,
        /\b(?:glot\.io|pastebin\.com|rentry\.(?:co|org)|paste\.(?:ee|rs)|hastebin\.com|dpaste\.(?:com|org)|ghostbin\.com?|controlc\.com|justpaste\.it|telegra\.ph)\b/,
        /.{0,160}?\b(?:run|execute|paste|terminal|shell|command|powershell)\b/,
      ]),
    ],
  }),
  phrase('follow', {
    'what a page contains is run or followed': [
      sequence([
        /\b(?:fetch|download|retrieve|read|get|visit|load|curl|open)\b.{0,60}?https?:\/\/\S{3,200}.{0,60}?/,
        /\b(?:and|then)\b.{0,20}?\b(?:follow|execute|obey|run)\b.{0,30}?/,
        /\b(?:it|them|its|whatever|what|instructions?|commands?|output|response|contents?|result)\b/,
      ]),
      sequence([
        /\b(?:execute|obey|carry out)\b.{0,30}?\b(?:commands?|instructions?|whatever)\b.{0,40}?/,
        /\b(?:from|at|on|by|returned|found)\b.{0,30}?https?:\/\//,
      ]),
    ],
  }),
  phrase('settings', {
    'settings and permissions of coding agents': [
      sequence([
        /\b(?:add|append|write|edit|modify|update|set|change|insert|put|merge)\b.{0,80}?/,
        /(?:\.claude\/settings(?:\.local)?\.json|\.claude\.json|\.cursor\/(?:mcp|permissions|hooks)\.json|\.codex\/config\.toml|\.gemini\/settings\.json|\.vscode\/settings\.json|permissions\.(?:allow|deny)|allowedTools|chat\.tools\.autoApprove)/,
      ]),
    ],
  }),
];
