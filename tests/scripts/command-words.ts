/** `KEY=value stackyard add 'a b' > file`, in words. */

export interface CommandWords {
  readonly variables: Readonly<Record<string, string>>;
  readonly words: readonly string[];
  /** The file that takes standard output. */
  readonly output: string | undefined;
}

const WORD = /\s*((?:"[^"]*"|'[^']*'|[^\s"'])+)/y;

/** @throws {SyntaxError} for a quote without its end, or nothing after `>` */
export function parseCommandWords(text: string): CommandWords {
  const raw: string[] = [];
  const line = text.trimEnd();
  WORD.lastIndex = 0;
  for (let at = 0; at < line.length; at = WORD.lastIndex) {
    const match = WORD.exec(line);
    if (match === null) throw new SyntaxError(`A quote has no end: ${text}`);
    raw.push(match[1]!);
  }
  const isAssignment = (word: string): boolean => /^[A-Z_]+=/.test(word);
  const first = raw.findIndex((word) => !isAssignment(word));
  const rest = raw.slice(first);
  const redirection = rest.indexOf('>');
  if (redirection >= 0 && redirection !== rest.length - 2) {
    throw new SyntaxError(`After > stands the name of one file: ${text}`);
  }
  return {
    variables: Object.fromEntries(
      raw.slice(0, first).map((word) => {
        const equals = word.indexOf('=');
        return [word.slice(0, equals), unquote(word.slice(equals + 1))];
      }),
    ),
    words: (redirection < 0 ? rest : rest.slice(0, redirection)).map(unquote),
    output: redirection < 0 ? undefined : unquote(rest[redirection + 1]!),
  };
}

function unquote(word: string): string {
  return word.replaceAll(/"([^"]*)"|'([^']*)'/g, (_, double?: string, single?: string) => {
    return double ?? single ?? '';
  });
}
