/**
 * Colours of code, the same when a site is generated and in a browser. Tokens get classes, never styles, which the policy of pages refuses.
 * The work is bounded by the length of lines: publishers write the code.
 */
import { codeText } from '../html.ts';
import { GRAMMARS, type Grammar, type Rule, type TokenKind } from './grammars.ts';
import type { Language } from './language.ts';

/** Longer code has no colours, and neither has a longer line. */
const MAX_CODE = 65_536;
const MAX_LINES = 2_000;
const MAX_LINE = 1_000;

/** A part of a line. */
export interface Token {
  readonly text: string;
  readonly kind: TokenKind | undefined;
}

/**
 * The tokens of each line of `code`, whose texts are the line; `undefined` when it is too long for colours.
 * @param code with line feeds alone
 */
export function tokenLines(code: string, language: Language): Token[][] | undefined {
  if (code.length > MAX_CODE) return undefined;
  const lines = code.split('\n');
  if (lines.length > MAX_LINES) return undefined;
  const grammar = compiled(language);
  const stack = ['root'];
  return lines.map((line) => {
    if (line.length > MAX_LINE) return [{ text: line, kind: undefined }];
    const tokens = tokensOf(line, grammar, stack);
    while (grammar.lines?.has(stack.at(-1) ?? '') === true) stack.pop();
    return tokens;
  });
}

/**
 * Each line of `code` as markup.
 * @param language without one, or when the code is too long, there are no colours
 */
export function codeLines(code: string, language: Language | undefined): string[] {
  const lines = language === undefined ? undefined : tokenLines(code, language);
  if (lines === undefined) return codeText(code).split('\n');
  return lines.map((line) =>
    line
      .map(({ text, kind }) =>
        kind === undefined ? codeText(text) : `<span class="${kind}">${codeText(text)}</span>`,
      )
      .join(''),
  );
}

const ready = new Map<Language, Grammar>();

/** The grammar with patterns that match at one position alone. */
function compiled(language: Language): Grammar {
  const known = ready.get(language);
  if (known !== undefined) return known;
  const { places, ...rest } = GRAMMARS[language];
  const sticky = ([pattern, ...more]: Rule): Rule => [
    new RegExp(pattern.source, `${pattern.flags}y`),
    ...more,
  ];
  const grammar = {
    ...rest,
    places: Object.fromEntries(
      Object.entries(places).map(([name, rules]) => [name, rules.map(sticky)]),
    ),
  };
  ready.set(language, grammar);
  return grammar;
}

/** @param stack of places, the last one in use; it is changed */
function tokensOf(line: string, grammar: Grammar, stack: string[]): Token[] {
  const tokens: Token[] = [];
  let plainFrom = 0;
  for (let at = 0; at < line.length;) {
    const found = ruleAt(line, at, grammar.places[stack.at(-1) ?? 'root'] ?? []);
    if (found === undefined) {
      // A run of spaces is one step.
      at = line[at] === ' ' ? line.length - line.slice(at).trimStart().length : at + 1;
      continue;
    }
    const [[, kind, go], end] = found;
    const text = line.slice(at, end);
    const shown = kind === 'word' ? kindOfWord(text, line.slice(end, end + 1), grammar) : kind;
    if (shown !== undefined && text.trim() !== '') {
      if (plainFrom < at) tokens.push({ text: line.slice(plainFrom, at), kind: undefined });
      const last = plainFrom < at ? undefined : tokens.at(-1);
      if (last?.kind === shown) tokens[tokens.length - 1] = { text: last.text + text, kind: shown };
      else tokens.push({ text, kind: shown });
      plainFrom = end;
    }
    at = end;
    if (go === '!') stack.length = 1;
    else if (go === '^') {
      if (stack.length > 1) stack.pop();
    } else if (go !== undefined) stack.push(go);
  }
  if (plainFrom < line.length) tokens.push({ text: line.slice(plainFrom), kind: undefined });
  return tokens;
}

/** The first rule that matches something at a position, and the end of what it matches. */
function ruleAt(
  line: string,
  at: number,
  rules: readonly Rule[],
): readonly [rule: Rule, end: number] | undefined {
  for (const rule of rules) {
    const [pattern, , go] = rule;
    pattern.lastIndex = at;
    // Only what leaves for the outermost place may match nothing: otherwise the same rule would match again.
    if (pattern.test(line) && (pattern.lastIndex > at || go === '!'))
      return [rule, pattern.lastIndex];
  }
  return undefined;
}

function kindOfWord(text: string, next: string, grammar: Grammar): TokenKind | undefined {
  const word = grammar.anyCase === true ? text.toLowerCase() : text;
  return grammar.words?.get(word) ?? (next === '(' ? 'tf' : undefined);
}
