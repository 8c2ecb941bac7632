/**
 * What text requests from a coding agent that no legitimate documentation requests, in the languages that agents read.
 * One phrase is only a hint; `agent-injection` judges by which of them occur together, and where.
 */
import { wordPattern, wordsOf } from '../../parse/word-list.ts';
import type { Intent } from './phrase.ts';
import { PHRASES } from './phrases.ts';

interface IntentMatch {
  readonly intent: Intent;
  readonly start: number;
  readonly length: number;
}

/** More hints do not change the verdict about one text. */
const MAX_MATCHES = 200;

/** Words without which no phrase matches: most text has none of them. */
const HINT = wordPattern(/WORDS/i, {
  'to drop instructions': wordsOf(['ignor disregard forget discard obey follow supersede overrid']),
  'another role or mode': ['you are now', 'from now on', /new (?:system )?instruction/, 'mode'],
  'German, French, Spanish and its neighbours': wordsOf([
    'vergiss missacht oublie olvid omiso omit ohne',
  ]),
  Chinese: ['\u5ffd', '\u65e0\u89c6', '\u7121\u8996', '\u5fd8', '\u4e0d\u8981'],
  Russian: [
    '\u0438\u0433\u043d\u043e\u0440',
    '\u0437\u0430\u0431\u0443\u0434\u044c',
    '\u043d\u0435 ',
  ],
  'Japanese and Korean': ['\u6307\u793a', '\u547d\u4ee4', '\uc9c0\uc2dc'],
  'a negation': ['not ', 'never', "n't", 'without'],
  'rights and protections': wordsOf([
    'approv permission dangerous yolo sandbox no-verify disable skip bypass auto',
  ]),
  secrets: ['secret', 'credential', '.env', 'ssh'],
  'an agent, or the marks of a prompt': [
    /assistant|agent|system|inst\]|claude|copilot|chatgpt|cursor|codex|gemini/,
  ],
  'fetches what no check has seen': [
    'password',
    'passphrase',
    /\bpass:/,
    ...wordsOf(['passwort contrase senha']),
    'mot de passe',
    '\u5bc6\u7801',
    '\u5bc6\u78bc',
    '\u043f\u0430\u0440\u043e\u043b',
    '\u30d1\u30b9\u30ef\u30fc\u30c9',
    ...wordsOf(['glot.io paste rentry. telegra.ph execute']),
  ],
  'settings of agents': ['settings.', 'config.toml', 'allowedtools', 'mcp.json'],
  'something encoded': ['decode'],
  'keys, trust, permissions, pushes and traces': [
    /\bkeys?\b|_keys|certificate|registry|index-url|nopasswd|777|collaborator|hookspath/,
    /resolver|reject_un|environment var|_token/,
  ],
  'files and where they are sent': [
    ...wordsOf(['push public history .env erase install conversation']),
    'grant ',
  ],
});

/**
 * What `text` requests from an agent, in order.
 *
 * @param needed without any of these the result may be empty: looked for first, which excludes most code
 */
export function findIntents(text: string, needed?: ReadonlySet<Intent>): IntentMatch[] {
  if (!HINT.test(text)) return [];
  const isPossible =
    needed === undefined ||
    PHRASES.some(({ intent, pattern }) => needed.has(intent) && text.search(pattern) !== -1);
  if (!isPossible) return [];
  const found: IntentMatch[] = [];
  for (const { intent, pattern } of PHRASES) {
    for (const match of text.matchAll(pattern)) {
      if (found.length >= MAX_MATCHES) break;
      if (isForbidden(text, match.index)) continue;
      found.push({ intent, start: match.index, length: match[0].length });
    }
  }
  return found.sort((a, b) => a.start - b.start);
}

/** "Never commit secrets": the sentence forbids what the phrase asks for. */
function isForbidden(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - 70), start);
  const sentence = before.slice(
    Math.max(...['. ', '! ', '\n', ': '].map((end) => before.lastIndexOf(end))) + 1,
  );
  return (
    FORBIDS.test(sentence) ||
    /(?:\bdon't|\bdo not|\bnever|\bavoid|\u274c)[\s:*_]{0,8}$/i.test(before)
  );
}

/** A negation that applies to the rest of the sentence. */
const FORBIDS = wordPattern(/\bWORDS\b(?!.*\b(?:and|but|then|instead|first)\b)/i, {
  forbids: [
    /never|do not|don't|must not|should not|shouldn't|cannot|can't|avoid|refuse to/,
    /not allowed to|prohibited|forbidden/,
  ],
});

/** Words of text about attacks. */
const DISCUSSION = wordPattern(/WORDS/i, {
  'names the attack or who does it': [
    /prompt[- ]injection|jailbreak|attack(?:er|s)?\b|malicious|adversar|untrusted|payloads?\b/,
    /threat|exploit|vulnerab|red[- ]team/,
  ],
  'gives an example': [
    /phrases? (?:like|such as)/,
    'such as',
    'for example',
    'e.g.',
    /test (?:case|that)/,
  ],
  'protects against it': [
    /detect(?:s|or|ion)?\b/,
    'mitigat',
    'sanitiz',
    'refuse to',
    /guard ?rails/,
    'owasp',
  ],
});

/** Whether the text around a match only describes such instructions. */
export function isDiscussion(text: string, start: number, end: number): boolean {
  return DISCUSSION.test(text.slice(Math.max(0, start - 400), end + 200));
}
