/**
 * Writes the parser of Python, `scan/parse/python-parser.js`: the grammar of `@lezer/python` with what it does not read of Python.
 * Each change must apply, so that a new version of the package shows which are left. `--check` only compares.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildParserFile } from '@lezer/generator';
import { rolldown } from 'rolldown';
import type { GeneratedFile } from './generated-file.ts';
import { runUpdate } from './generated-file.ts';

const PATH = 'scan/parse/python-parser.js';
const SOURCES = fileURLToPath(new URL('../', import.meta.resolve('@lezer/python')));

type Change = readonly [before: string, after: string];

/** What the grammar lacks of https://docs.python.org/3/reference/grammar.html. */
const GRAMMAR: readonly Change[] = [
  // `yield` alone.
  [
    'kw<"yield"> (kw<"from"> test | commaSep<test | "*" expression>) }',
    'kw<"yield"> (kw<"from"> test | commaSep<test | "*" expression>)? }',
  ],
  // `1.`
  ['("." @digit ("_" | @digit)*)? | "."', '("." ("_" | @digit)*)? | "."'],
  // `with (a as b, c as d):`, and any target after `as`.
  [
    'kw<"with"> commaSep<test (kw<"as"> VariableName)?> Body',
    'kw<"with"> (withList | commaSep<withItem>) Body',
  ],
  [
    'elseClause { kw<"else"> Body }',
    `withItem { test ~with (kw<"as"> expression)? }
withList[@export,@dynamicPrecedence=-1] { "(" commaSep<withItem> ")" }

elseClause { kw<"else"> Body }`,
  ],
  [
    'kw<"for"> commaSep<expression> kw<"in"> testInner',
    'kw<"for"> commaSep<"*"? expression> kw<"in"> testInner',
  ],
  ['kw<"in"> commaSep<test> Body', 'kw<"in"> commaSep<"*" expression | test> Body'],
  // Patterns without parts, of several strings, with names as keys.
  [
    'PatternArgList { "(" commaSep<pattern | KeywordPattern { VariableName "=" pattern }> ")" }',
    'PatternArgList { "(" commaSep<pattern | KeywordPattern { VariableName "=" pattern }>? ")" }',
  ],
  [
    '"[" commaSep<pattern> "]" | "(" commaSep<pattern> ")"',
    '"[" commaSep<pattern>? "]" | "(" commaSep<pattern>? ")"',
  ],
  [
    '"{" commaSep<"**" pattern | (VariableName | LiteralPattern) ":" pattern> "}"',
    '"{" commaSep<"**" pattern | (VariableName | LiteralPattern | AttributePattern) ":" pattern>? "}"',
  ],
  ['  String |\n  kw<"None">', '  String+ |\n  kw<"None">'],
  [
    '  test | NamedExpression { test AssignOp{":="} test }',
    '  test ~with | NamedExpression { test AssignOp{":="} test }',
  ],
  [
    'skw<"match"> "*"? expression MatchBody',
    'skw<"match"> commaSep<"*" expression | testNamed> MatchBody',
  ],
  // Decorators of every form.
  [
    'Decorator { At dottedName ArgList? newline }',
    'Decorator { At (dottedName | ParenthesizedExpression) (ArgList | subscript) (ArgList | subscript | "." PropertyName)* newline | At (dottedName | ParenthesizedExpression) newline }',
  ],
  // Types of parameters and their defaults, `*` in them and in subscripts.
  ['"*" (VariableName TypeDef?)? |', '"*" (VariableName StarTypeDef?)? |'],
  ['TypeDef { ":" test }', 'TypeDef { ":" test }\n\nStarTypeDef[@name=TypeDef] { ":" "*"? test }'],
  [
    '("*" | "**") VariableName |\n  VariableName TypeDef?',
    '("*" | "**") VariableName ("=" test)? |\n  VariableName TypeDef? ("=" test)?',
  ],
  [
    '"[" commaSep<testNamed | testNamed? ":"',
    '"[" commaSep<testNamed | "*" expression | testNamed? ":"',
  ],
  ['"*" VariableName? | "**" VariableName }', '"*" VariableName? | "**" VariableName | "/" }'],
  ['{ (lambdaParam ("," lambdaParam)*)? }', '{ commaSep<lambdaParam>? }'],
  // `f"{a:=5}"`, where `=` is of the format.
  ['FormatSpec { ":" (', 'FormatSpec { (":" | ":=") ('],
  // Template strings.
  ['stringPrefixF { $[fF] }', 'stringPrefixF { $[fFtT] }'],
  [
    'stringPrefixFR { $[rR] $[fF] | $[fF] $[rR] }',
    'stringPrefixFR { $[rR] $[fFtT] | $[fFtT] $[rR] }',
  ],
  ['@external propSource pythonHighlighting from "./highlight"\n', ''],
];

const TOKENS: readonly Change[] = [
  // `print = 1`, `print: int`, `print, x`, `print[0]`: a name.
  [
    'next != parenOpen && next != dot &&',
    "next != parenOpen && !'.=:,['.includes(String.fromCharCode(next)) &&",
  ],
  ['ComprehensionExpression, importList,', 'ComprehensionExpression, importList, withList,'],
  [
    '  ArrayExpression, ArrayComprehensionExpression, ArgList, ParamList, importList, subscript,',
    '  ArrayExpression, ArrayComprehensionExpression, ArgList, ParamList, importList, withList, subscript,',
  ],
];

function changed(file: string, changes: readonly Change[]): string {
  let text = readFileSync(join(SOURCES, file), 'utf8');
  for (const [before, after] of changes) {
    if (text.split(before).length !== 2) throw new RangeError(`${file} has not once: ${before}`);
    text = text.replace(before, () => after);
  }
  return text;
}

/** @throws {GenError} the grammar is ambiguous */
async function pythonParser(): Promise<GeneratedFile> {
  const folder = mkdtempSync(join(tmpdir(), 'stackyard-python-'));
  try {
    const { parser, terms } = buildParserFile(changed('src/python.grammar', GRAMMAR));
    const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
    write('parser.js', parser);
    write('parser.terms.js', terms);
    write('tokens.js', changed('src/tokens.js', TOKENS));
    const bundle = await rolldown({ input: join(folder, 'parser.js'), external: /^@lezer/ });
    const { output } = await bundle.generate({ format: 'es' });
    const licence = readFileSync(join(SOURCES, 'LICENSE'), 'utf8');
    const head = `// Generated by tools/write-python-parser.ts from @lezer/python, of which this is the licence.\n/*\n${licence}*/\n`;
    // Without the names of the files in the temporary folder.
    return { path: PATH, text: head + output[0].code.replaceAll(/^\/\/.*\n/gm, '') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (import.meta.main) runUpdate([await pythonParser()], 'node tools/write-python-parser.ts');
