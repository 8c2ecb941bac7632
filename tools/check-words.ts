/**
 * Reports words that this project does not use, in comments, messages, names, pages and file names.
 *
 *     node tools/check-words.ts                        part of `npm run check:lint`
 *     node tools/check-words.ts --commits main..HEAD   titles of commits
 *
 * A line may keep a word for a reason that stands on it or on the line before:
 *
 *     const text = "says no"; // allow-word says: quotes another program
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXEMPT, UNWANTED_WORDS } from './unwanted-words.ts';

const ROOT = join(import.meta.dirname, '..');
const FILES = /\.(?:[cm]?[jt]s|sh|sql|md|txt|ya?ml|json)$|(?:^|\/)Dockerfile$/;
const ALLOW = /allow-word (?<word>[a-z ]+)(?::\s*(?<reason>\S.*))?/;

interface WordHit {
  readonly file: string;
  /** From 1; 0 for the name of the file. */
  readonly line: number;
  readonly problem: string;
}

interface Unwanted {
  readonly replacement: string;
  readonly reason: string;
}

const UNWANTED: ReadonlyMap<string, Unwanted> = new Map(
  UNWANTED_WORDS.flatMap(({ words, reason }) =>
    Object.entries(words).map(([word, replacement]) => [word, { replacement, reason }] as const),
  ),
);
const ANY_WORD = new RegExp(`(?<![a-z])(?:${[...UNWANTED.keys()].join('|')})(?![a-z])`, 'g');

/** Every unwanted word in the git repository at `root`, except in the exempt places. */
export function checkWords(root: string, exempt: readonly string[]): WordHit[] {
  return sourceFiles(root)
    .filter((file) => !exempt.some((place) => isWithin(file, place)))
    .flatMap((file) => {
      const named = wordsIn(file).map((word) => ({ file, line: 0, problem: describe(word) }));
      return [...named, ...checkText(file, readFileSync(join(root, file), 'utf8'))];
    });
}

/** Unwanted words in a text; also exceptions without a reason, and those that allow nothing. */
export function checkText(file: string, text: string): WordHit[] {
  const lines = text.split('\n');
  return lines.flatMap((line, index) => {
    const allowed = [ALLOW.exec(line)?.groups, ALLOW.exec(lines[index - 1] ?? '')?.groups];
    const problems = wordsIn(line.replace(ALLOW, ''))
      .filter((word) => !allowed.some((groups) => groups?.['word'] === word))
      .map(describe);
    const own = allowed[0];
    if (own !== undefined && own['reason'] === undefined) {
      problems.push(`"${own['word']}" is allowed without a reason`);
    }
    const covered = `${line.replace(ALLOW, '')} ${lines[index + 1] ?? ''}`;
    if (own?.['word'] !== undefined && !wordsIn(covered).includes(own['word'])) {
      problems.push(`"${own['word']}" is allowed and does not occur`);
    }
    return problems.map((problem) => ({ file, line: index + 1, problem }));
  });
}

/** The unwanted words of a text, those inside of camelCase, snake_case and kebab-case names too. */
export function wordsIn(text: string): string[] {
  const words = text.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2').toLowerCase();
  return words.match(ANY_WORD) ?? [];
}

/** The files that git tracks or would add: nothing that commands generate. */
function sourceFiles(root: string): string[] {
  const options = ['--cached', '--others', '--exclude-standard', '--deduplicate', '-z'];
  const listed = execFileSync('git', ['ls-files', ...options], { cwd: root, encoding: 'utf8' });
  return listed
    .split('\0')
    .filter((file) => FILES.test(file) && existsSync(join(root, file)))
    .sort();
}

function isWithin(file: string, place: string): boolean {
  return file === place || file.startsWith(`${place}/`);
}

function describe(word: string): string {
  const { replacement, reason } = UNWANTED.get(word)!;
  return `"${word}": ${reason} (${replacement})`;
}

function checkCommits(range: string): WordHit[] {
  const log = execFileSync('git', ['log', '--format=%h %s', range], { cwd: ROOT });
  return log
    .toString()
    .split('\n')
    .flatMap((title) =>
      wordsIn(title.slice(title.indexOf(' '))).map((word) => {
        return { file: `commit ${title}`, line: 0, problem: describe(word) };
      }),
    );
}

if (import.meta.main) {
  const [option, range = 'HEAD'] = process.argv.slice(2);
  const hits = option === '--commits' ? checkCommits(range) : checkWords(ROOT, Object.keys(EXEMPT));
  for (const { file, line, problem } of hits) {
    console.error(line === 0 ? `${file}: ${problem}` : `${file}:${line}: ${problem}`);
  }
  if (hits.length > 0) process.exitCode = 1;
}
