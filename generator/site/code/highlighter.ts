/**
 * Colours of code, made when a site is generated. Tokens get classes, never styles, which the policy of pages refuses.
 * Results are kept by the digest of the code, because a grammar takes a hundred times as long as a page.
 */
import { createHash } from 'node:crypto';
import type { HighlighterCore } from 'shiki/core';
import { sourceDigest } from '../../source-digest.ts';
import type { Kept } from '../kept.ts';
import { codeText } from './code-text.ts';
import { GRAMMARS } from './grammars.ts';
import type { Language } from './language.ts';

/** Longer code has no colours: grammars are slow, and on hostile lines very slow. */
const MAX_CODE = 65_536;
const MAX_LINES = 2_000;
const MAX_LINE = 1_000;

const CLASSES: Readonly<Record<string, string>> = {
  keyword: 'tk',
  string: 'ts',
  'string-expression': 'ts',
  link: 'ts',
  function: 'tf',
  constant: 'tc',
  comment: 'tm',
  punctuation: 'tp',
};

let opened: Promise<HighlighterCore> | undefined;

/** Colours code, and keeps what it has coloured. */
export class Highlighter {
  readonly #kept: Kept;

  constructor(kept: Kept) {
    this.#kept = kept;
  }

  /**
   * Each line of `code` as markup.
   * @param language without one, or when the code is too long, there are no colours
   */
  async lines(code: string, language: Language | undefined): Promise<string[]> {
    if (language === undefined || !isWithinLimits(code)) return codeText(code).split('\n');
    const digest = createHash('sha256').update(code).digest('base64url');
    const key = `${sourceDigest('generator/site/code/highlighter.ts')} ${language} ${digest}`;
    const known = this.#kept.get(key);
    if (known !== undefined) return known.toString().split('\n');
    const lines = await colour(code, language);
    this.#kept.set(key, lines.join('\n'));
    return lines;
  }
}

/** The lines of `code`, with colours where there is a highlighter. */
export async function linesOf(
  code: string,
  language: Language | undefined,
  highlighter: Highlighter | undefined,
): Promise<string[]> {
  return highlighter === undefined ? codeText(code).split('\n') : highlighter.lines(code, language);
}

function isWithinLimits(code: string): boolean {
  if (code.length > MAX_CODE) return false;
  const lines = code.split('\n');
  return lines.length <= MAX_LINES && lines.every((line) => line.length <= MAX_LINE);
}

async function colour(code: string, language: Language): Promise<string[]> {
  const highlighter = await (opened ??= open());
  if (!highlighter.getLoadedLanguages().includes(language)) {
    await highlighter.loadLanguage(GRAMMARS[language]);
  }
  // A limit of time would make pages depend on the machine: limits are those of size above.
  const options = { lang: language, theme: 'classes', tokenizeTimeLimit: 0 };
  return highlighter
    .codeToTokensBase(code, options)
    .map((line) => line.map(({ content, color }) => token(content, color)).join(''));
}

async function open(): Promise<HighlighterCore> {
  const { createCssVariablesTheme, createHighlighterCore } = await import('shiki/core');
  const { createJavaScriptRegexEngine } = await import('shiki/engine/javascript');
  const theme = createCssVariablesTheme({ name: 'classes', variablePrefix: '', fontStyle: false });
  const engine = createJavaScriptRegexEngine({ forgiving: true });
  return createHighlighterCore({ themes: [theme], langs: [], engine });
}

/** @param color such as `var(token-keyword)` */
function token(content: string, color: string | undefined): string {
  const name = /^var\(token-([a-z-]+)\)$/.exec(color ?? '')?.[1] ?? '';
  const text = codeText(content);
  const isShown = Object.hasOwn(CLASSES, name) && content.trim() !== '';
  return isShown ? `<span class="${CLASSES[name]}">${text}</span>` : text;
}
