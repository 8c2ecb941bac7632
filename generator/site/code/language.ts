/** The language of a file or of a fence, as the highlighter calls it. */

/** Languages with a grammar, and the endings of files that are in them. */
const ENDINGS = {
  typescript: 'ts mts cts',
  tsx: 'tsx',
  javascript: 'js mjs cjs',
  jsx: 'jsx',
  json: 'json webmanifest',
  jsonc: 'jsonc json5',
  python: 'py pyi',
  shellscript: 'sh bash zsh',
  yaml: 'yaml yml',
  toml: 'toml',
  sql: 'sql',
  html: 'html htm',
  xml: 'xml svg',
  css: 'css',
  markdown: 'md mdx markdown',
  ini: 'ini cfg conf',
  dotenv: 'env',
  vue: 'vue',
  svelte: 'svelte',
} as const;

export type Language = keyof typeof ENDINGS;

/** Other words that writers put behind a fence. */
const WORDS: Readonly<Record<string, Language>> = {
  shell: 'shellscript',
  console: 'shellscript',
  node: 'javascript',
  py3: 'python',
  make: 'shellscript',
};

/** Files whose whole name decides. */
const NAMES: Readonly<Record<string, Language>> = {
  '.env': 'dotenv',
  '.npmrc': 'ini',
  '.editorconfig': 'ini',
};

const BY_WORD = new Map<string, Language>([
  ...Object.entries(WORDS),
  ...(Object.entries(ENDINGS) as [Language, string][]).flatMap(([language, endings]) =>
    [language, ...endings.split(' ')].map((word) => [word, language] as const),
  ),
]);

/** `undefined` for a file without a grammar. */
export function languageOfFile(path: string): Language | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  if (Object.hasOwn(NAMES, name)) return NAMES[name];
  if (name.startsWith('.env.')) return 'dotenv';
  return BY_WORD.get(name.slice(name.lastIndexOf('.') + 1));
}

/** The language of a fence with the text `info` behind it. */
export function languageOfFence(info: string): Language | undefined {
  return BY_WORD.get(/^[\w+#-]*/.exec(info.trim().toLowerCase())?.[0] ?? '');
}
