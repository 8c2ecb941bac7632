/**
 * How the languages of `language.ts` are divided into tokens: for each place in a text (code, a string, a comment) the patterns that are
 * tried at a position, in their order. Patterns see one line and never repeat what can be divided in several ways, so that the work is
 * bounded by the length of a line, whatever a publisher writes.
 */
import type { Language } from './language.ts';

/** The classes of tokens in the style sheet: keyword, string, name, value, comment, punctuation. `word` becomes one of them by its text. */
export type TokenKind = 'tk' | 'ts' | 'tf' | 'tc' | 'tm' | 'tp';

/**
 * A pattern; what it matches; the place where the text goes on: `^` is the one before, `!` the outermost one. Without a kind the text has no
 * colour.
 */
export type Rule = readonly [
  pattern: RegExp,
  kind?: TokenKind | 'word' | undefined,
  go?: string | undefined,
];

export interface Grammar {
  /** The text begins in `root`. */
  readonly places: Readonly<Record<string, readonly Rule[]>>;
  /** Places that end with their line. */
  readonly lines?: ReadonlySet<string>;
  readonly words?: ReadonlyMap<string, TokenKind>;
  /** Whether words are compared without regard to case. */
  readonly anyCase?: boolean;
}

const NUMBER: Rule = [
  /\b(?:0[xX][\da-fA-F_]+|0[bBoO][0-7_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?)\w*/,
  'tc',
];
const WORD: Rule = [/[A-Za-z_$\u0080-\uffff][\w$\u0080-\uffff]*/, 'word'];
const MARKS: Rule = [/[()[\],;.:]+/, 'tp'];
const OPEN: Rule = [/\{/, 'tp', 'root'];
const CLOSE: Rule = [/\}/, 'tp', '^'];
const SLASHES: Rule = [/\/\/.*/, 'tm'];
const HASH: Rule = [/#.*/, 'tm'];
const BLOCK: Rule = [/\/\*/, 'tm', 'block'];
const inBlock: readonly Rule[] = [
  [/\*\//, 'tm', '^'],
  [/[^*]+|\*/, 'tm'],
];
const ESCAPE: Rule = [/\\./, 'tc'];
const ONE_LINE: ReadonlySet<string> = new Set(['"', "'"]);

function words(keywords: string, constants = 'true false null'): ReadonlyMap<string, TokenKind> {
  const of = (text: string, kind: TokenKind) =>
    text.split(' ').map((word) => [word, kind] as const);
  return new Map([...of(keywords, 'tk'), ...of(constants, 'tc')]);
}

/** The inside of a string that `quote` ends. */
function text(quote: string, ...inside: readonly Rule[]): readonly Rule[] {
  const first = quote[0]!;
  return [
    ...inside,
    [new RegExp(quote), 'ts', '^'],
    [new RegExp(`[^${first}\\\\\\x24{]+|[${first}\\\\\\x24{]`), 'ts'],
  ];
}

const QUOTES: readonly Rule[] = [
  [/"/, 'ts', '"'],
  [/'/, 'ts', "'"],
];
const STRINGS = { '"': text('"', ESCAPE), "'": text("'", ESCAPE) };

const SCRIPT_WORDS = words(
  'abstract as asserts async await break case catch class const continue debugger declare default delete do else enum export extends finally for from function get if implements import in infer instanceof interface is keyof let namespace new of override private protected public readonly return satisfies set static super switch this throw try type typeof unique using var void while with yield',
  'true false null undefined NaN Infinity any bigint boolean never number object string symbol unknown',
);
// A slash begins a regular expression where no value stands in front of it.
const PATTERN: Rule = [
  /\/(?![*/])(?<=(?:^|[^\w$)\]}"'`\s]|\b(?:return|typeof|case|of|in))\s*\/)(?:[^\\/[]|\\.|\[(?:[^\]\\]|\\.)*\])+\/\w*/,
  'ts',
];
const scripts = (...more: readonly Rule[]): Grammar => ({
  words: SCRIPT_WORDS,
  lines: ONE_LINE,
  places: {
    root: [
      ...more,
      PATTERN,
      [/`/, 'ts', '`'],
      [/@[\w$.]+/, 'tf'],
      SLASHES,
      BLOCK,
      ...QUOTES,
      NUMBER,
      WORD,
      OPEN,
      CLOSE,
      MARKS,
    ],
    block: inBlock,
    ...STRINGS,
    '`': text('`', ESCAPE, [/\$\{/, 'tp', 'root']),
  },
});
const script = scripts();
const markedScript = scripts(
  [/(?:<\/|(?<![\w)\]])<)[A-Za-z][\w.-]*(?=[\s/>]|$)|<\/?>|\/>/, 'tk'],
  [/[a-zA-Z-]+(?==["'{])/, 'tf'],
);

const json: Grammar = {
  lines: ONE_LINE,
  words: words('', 'true false null'),
  places: {
    root: [
      [/"(?:[^"\\]|\\.)*"(?=\s*:)/, 'tf'],
      ...QUOTES,
      SLASHES,
      BLOCK,
      [/-?\d[\d.eE+-]*/, 'tc'],
      WORD,
      [/[{}[\],:]+/, 'tp'],
    ],
    block: inBlock,
    ...STRINGS,
  },
};

const PYTHON_FIELD: Rule = [/\{[^{}'"]*\}/, 'tc'];
const python: Grammar = {
  lines: new Set(['"', "'", 'f"', "f'"]),
  words: words(
    'and as assert async await break case class continue def del elif else except finally for from global if import in is lambda match nonlocal not or pass raise return try while with yield',
    'True False None self cls',
  ),
  places: {
    root: [
      HASH,
      [/@[\w.]+/, 'tf'],
      [/\b[fF][rR]?"""/, 'ts', 'f"""'],
      [/\b[fF][rR]?'''/, 'ts', "f'''"],
      [/\b[fF][rR]?"/, 'ts', 'f"'],
      [/\b[fF][rR]?'/, 'ts', "f'"],
      [/(?:\b[rRbBuU]{1,2})?"""/, 'ts', '"""'],
      [/(?:\b[rRbBuU]{1,2})?'''/, 'ts', "'''"],
      [/(?:\b[rRbBuU]{1,2})?"/, 'ts', '"'],
      [/(?:\b[rRbBuU]{1,2})?'/, 'ts', "'"],
      NUMBER,
      WORD,
      [/[(){}[\],;.:]+/, 'tp'],
    ],
    '"""': text('"""', ESCAPE),
    "'''": text("'''", ESCAPE),
    'f"""': text('"""', ESCAPE, PYTHON_FIELD),
    "f'''": text("'''", ESCAPE, PYTHON_FIELD),
    'f"': text('"', ESCAPE, PYTHON_FIELD),
    "f'": text("'", ESCAPE, PYTHON_FIELD),
    ...STRINGS,
  },
};

const VARIABLE: Rule = [/\$(?:\{[^}]*\}|\w+|[@*#?$!-])/, 'tc'];
const shell: Grammar = {
  words: words(
    'if then elif else fi for in do done case esac while until function return export local readonly set unset exit source trap exec eval',
    'true false',
  ),
  places: {
    root: [
      [/^\$ /, 'tp'],
      [/(?<![^\s;|&()])#.*/, 'tm'],
      [/"/, 'ts', '"'],
      [/'/, 'ts', "'"],
      ESCAPE,
      VARIABLE,
      [/(?<=\s)--?[A-Za-z][\w-]*/, 'tc'],
      [
        /\b(?:if|then|else|elif|fi|for|in|do|done|case|esac|while|until|return|exit|export)\b(?![\w./-])/,
        'tk',
      ],
      [/[A-Za-z_]\w*(?==)/, 'tf'],
      [/(?<=(?:^(?:\$ )?|[|;&(]|\b(?:sudo|then|do|else)\b)\s*)[\w./@-]+/, 'tf'],
      [/[\w./@:+-]+/],
      [/[|&;<>()[\]{}]+/, 'tp'],
    ],
    '"': text('"', ESCAPE, VARIABLE),
    "'": [
      [/'/, 'ts', '^'],
      [/[^']+/, 'ts'],
    ],
  },
};

const FLAT_STRINGS: readonly Rule[] = [
  [/"(?:[^"\\]|\\.)*"/, 'ts'],
  [/'[^']*'/, 'ts'],
];
const VALUES: readonly Rule[] = [
  [/\b(?:true|false|null|yes|no|on|off)\b(?![\w-])|~(?=\s|$)/, 'tc'],
  [/(?<![\w./:-])[+-]?\d[\d_.:TZ+-]*(?![\w./-])/, 'tc'],
];
const yaml: Grammar = {
  places: {
    root: [
      [/(?<!\S)#.*/, 'tm'],
      [/^(?:---|\.\.\.)/, 'tp'],
      [/(?:"(?:[^"\\]|\\.)*"|'[^']*'|[\w./@$*-]+)(?=\s*:(?:\s|$))/, 'tf'],
      ...FLAT_STRINGS,
      [/(?<!\S)[&*!][\w.-]+/, 'tk'],
      ...VALUES,
      [/[\w./@-]+/],
      [/[{}[\],:|>-]/, 'tp'],
    ],
  },
};
const toml: Grammar = {
  places: {
    root: [
      HASH,
      [/^\s*\[\[?[^\]#]*\]\]?/, 'tk'],
      [/(?:[\w.-]|"[^"]*")+(?=\s*=)/, 'tf'],
      [/"""/, 'ts', '"""'],
      [/'''/, 'ts', "'''"],
      ...FLAT_STRINGS,
      ...VALUES,
      [/[\w./-]+/],
      [/[{}[\],=]/, 'tp'],
    ],
    '"""': text('"""', ESCAPE),
    "'''": text("'''"),
  },
};
const ini: Grammar = {
  places: {
    root: [
      [/^\s*[#;].*/, 'tm'],
      [/^\s*\[[^\]]*\]/, 'tk'],
      [/^\s*(?:export )?[^=:\s]+(?=\s*[=:])/, 'tf'],
      VARIABLE,
      ...FLAT_STRINGS,
      [/[\w./@-]+/],
    ],
  },
};

const sql: Grammar = {
  anyCase: true,
  words: words(
    'add all alter and as asc begin between by case check collate column commit constraint create cross default delete desc distinct do drop else end exists explain foreign from full group having if in index inner insert into is join key left like limit not offset on or order outer over partition pragma primary references release returning right rollback savepoint select set strict table then transaction trigger union unique update using values view when where with without',
    'true false null integer text real blob numeric boolean varchar char timestamp timestamptz date time uuid json jsonb bigint int serial bigserial',
  ),
  places: {
    root: [[/--.*/, 'tm'], BLOCK, ...FLAT_STRINGS, NUMBER, WORD, [/[()[\],;.]+/, 'tp']],
    block: inBlock,
  },
};

const css: Grammar = {
  places: {
    root: [
      BLOCK,
      ...FLAT_STRINGS,
      [/@[\w-]+|!important/, 'tk'],
      [/--[\w-]+/, 'tc'],
      [/[A-Za-z-]+(?=\s*:(?!:)[^{]*(?:;|$))/, 'tf'],
      [/#[\da-fA-F]{3,8}\b(?=[^{]*(?:;|$))|\b\d[\d.]*(?:[a-z]+|%)?/, 'tc'],
      [/[.#&]?[\w-]+/],
      [/[{}()[\];,:>+~*]/, 'tp'],
    ],
    block: inBlock,
  },
};

const TAG: readonly Rule[] = [
  [/[\w:@.#*()[\]-]+(?=\s*=)/, 'tf'],
  [/"/, 'ts', '"'],
  [/'/, 'ts', "'"],
  [/\/?>/, 'tk', '^'],
  [/[\w:@.-]+/, 'tf'],
];
const TAGS: readonly Rule[] = [
  [/<!--/, 'tm', 'note'],
  [/<[!?][^>]*>?/, 'tp'],
  [/&#?\w+;/, 'tc'],
  [/<\/?[\w:.-]+/, 'tk', 'tag'],
];
const markupPlaces = {
  note: [
    [/-->/, 'tm', '^'],
    [/[^-]+|-/, 'tm'],
  ],
  tag: TAG,
  '"': text('"'),
  "'": text("'"),
} as const satisfies Grammar['places'];
const xml: Grammar = { places: { root: TAGS, ...markupPlaces } };
const html: Grammar = {
  words: SCRIPT_WORDS,
  lines: new Set(['script"', "script'"]),
  places: {
    root: [
      [/<script(?![\w-])/, 'tk', 'script-tag'],
      [/<style(?![\w-])/, 'tk', 'style-tag'],
      ...TAGS,
      [/\{\{|\}\}/, 'tp'],
    ],
    ...markupPlaces,
    'script-tag': [[/>/, 'tk', 'scriptroot'], ...TAG],
    'style-tag': [[/>/, 'tk', 'styleroot'], ...TAG],
    ...inside(script, 'script'),
    ...inside(css, 'style'),
  },
};

/** The places of a language inside of an element, which its end tag ends wherever it stands. */
function inside({ places }: Grammar, element: string): Grammar['places'] {
  const end: Rule = [new RegExp(`(?=</${element}\\b)`), undefined, '!'];
  return Object.fromEntries(
    Object.entries(places).map(([name, rules]) => {
      const renamed = rules.map(([pattern, kind, go]): Rule => {
        return [pattern, kind, go === undefined || go === '^' ? go : element + go];
      });
      return [element + name, [end, ...renamed]];
    }),
  );
}

const markdown: Grammar = {
  places: {
    root: [
      [/^\s*```.*/, 'tp', '```'],
      [/^\s*~~~.*/, 'tp', '~~~'],
      [/^#{1,6}\s.*/, 'tk'],
      [/^\s*(?:[-*+]|\d+[.)])(?=\s)|^\s*>/, 'tp'],
      [/^\s*\|?[\s:|-]*-[\s:|-]*$/, 'tp'],
      [/<!--/, 'tm', 'note'],
      [/`[^`]+`/, 'ts'],
      [/!?\[[^\]]*\]\([^)]*\)|https?:\/\/[^\s)>]+/, 'tf'],
      [/\*\*[^*]+\*\*|__[^_]+__/, 'tc'],
      [/<\/?[a-z][^>]*>/i, 'tk'],
      [/\w+/],
    ],
    note: markupPlaces.note,
    '```': [
      [/^\s*```\s*$/, 'tp', '^'],
      [/.+/, 'ts'],
    ],
    '~~~': [
      [/^\s*~~~\s*$/, 'tp', '^'],
      [/.+/, 'ts'],
    ],
  },
};

export const GRAMMARS: Readonly<Record<Language, Grammar>> = {
  typescript: script,
  tsx: markedScript,
  javascript: markedScript,
  jsx: markedScript,
  json,
  jsonc: json,
  python,
  shellscript: shell,
  yaml,
  toml,
  sql,
  html,
  xml,
  css,
  markdown,
  ini,
  dotenv: ini,
  vue: html,
  svelte: html,
};
