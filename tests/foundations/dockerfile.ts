/** The Dockerfiles of the repository: what they say, and what of their contexts Docker ignores. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

export const ROOT = join(import.meta.dirname, '../..');

export interface Dockerfile {
  readonly path: string;
  /** The folder that its build gets, in the repository. */
  readonly context: string;
  /** Path in the context. */
  readonly file: string;
}

/** One with rules of its own is built from the root, others from their folder. */
export function dockerfiles(): Dockerfile[] {
  const listed = execFileSync('git', ['ls-files', '--', '*Dockerfile*'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const paths = listed.split('\n').filter((path) => path !== '' && !path.endsWith('.dockerignore'));
  return paths.map((path) =>
    existsSync(join(ROOT, `${path}.dockerignore`))
      ? { path, context: '', file: path }
      : { path, context: dirname(path), file: basename(path) },
  );
}

interface Instruction {
  readonly instruction: string;
  readonly rest: string;
  readonly words: readonly string[];
}

/** The instructions of a Dockerfile. */
export function readDockerfile(context: string, file: string): Instruction[] {
  return readLines(join(context, file)).map((line) => {
    const [instruction = '', rest = ''] = line.split(/ +(.*)/s);
    return { instruction, rest, words: rest.split(/\s+/) };
  });
}

/** What a `COPY` of `words` takes of the context; of a pattern with a star at its end, which may match nothing, the file without it. */
export function sourcesIn(context: string, words: readonly string[]): string[] {
  return words.flatMap((word) => {
    const file = word.replace(/\*$/, '');
    return file === word || existsSync(join(context, file)) ? [file] : [];
  });
}

/** What it copies of its context. */
export function copiedSources(context: string, file: string): string[] {
  return readDockerfile(context, file).flatMap(({ instruction, words }) =>
    instruction === 'COPY' && !words[0]!.startsWith('--') ? words.slice(0, -1) : [],
  );
}

/** The rules by which Docker leaves files out of a context. */
export function ignoreLines(context: string, file: string): string[] {
  const own = join(context, `${file}.dockerignore`);
  return readLines(existsSync(own) ? own : join(context, '.dockerignore'));
}

/** Whether rules leave out a path: of those that match it or a folder above it, the last one decides. */
export function ignoreRules(lines: readonly string[]): (path: string) => boolean {
  const rules = lines.map((line) => {
    const pattern = line.replace(/^!/, '').replace(/^\/|\/$/g, '');
    const source = pattern.replaceAll(/\*\*\/?|[*?]|[.+^${}()|[\]\\]/g, (part) => {
      if (part === '**/') return '(?:.*/)?';
      if (part === '**') return '.*';
      return part === '*' ? '[^/]*' : part === '?' ? '[^/]' : `\\${part}`;
    });
    return { isOut: !line.startsWith('!'), form: new RegExp(`^${source}(?:/.*)?$`, 's') };
  });
  return (path) => rules.findLast(({ form }) => form.test(path))?.isOut ?? false;
}

/** Lines without comments; continued ones as one. */
function readLines(file: string): string[] {
  const text = readFileSync(file, 'utf8')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '');
  return text.split('\n').filter((line) => line !== '');
}
