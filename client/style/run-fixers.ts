/**
 * Runs the fixers of a project on files of builds, in a copy of the project with its configuration: the user's folder is never
 * worked in. What a fixer leaves is used as a whole or not at all, so that the two sides of an update are always in the same style.
 */
import { lstatSync, readFileSync, readdirSync, realpathSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { copyProject, dropCopies, makeCopyFolder } from './copy-project.ts';
import { runLimited } from '../prove/run-command.ts';
import { findWorkspaceRoot } from '../project/workspace.ts';
import type { StyledFile, Texts } from '../plan/project-view.ts';
import type { Fixer } from './fixers.ts';
import { joinHeader, splitHeader } from '../edit/linter-header.ts';

export interface FixLimits {
  readonly files: number;
  readonly characters: number;
  /** Of one program. */
  readonly timeMs: number;
}
const LIMITS: FixLimits = { files: 1_000, characters: 8_000_000, timeMs: 180_000 };

/** Why the shipped form is used for all files. */
class FixerProblem extends Error {}

/**
 * The files of each batch in the style of the project. Batches have the same paths: the old and the new version.
 * @param around files that the project will have beside them, which rules may read
 * @returns what went wrong, and then nothing else
 * @throws what `signal` is aborted with
 */
export async function runFixers(
  project: string,
  fixers: readonly Fixer[],
  batches: readonly Texts[],
  signal: AbortSignal,
  limits: FixLimits = LIMITS,
  around: Texts = new Map(),
): Promise<
  | {
      readonly styled: readonly ReadonlyMap<string, StyledFile>[];
      /** Paths of the last batch that a linter cannot read. */
      readonly unread: readonly string[];
    }
  | { readonly problem: string }
> {
  const texts = batches.flatMap((batch) => [...batch.values()]);
  const size = texts.reduce((sum, { length }) => sum + length, 0);
  if (texts.length > limits.files) return { problem: `more than ${limits.files} files` };
  if (size > limits.characters) return { problem: `more than ${limits.characters} characters` };
  const folder = await makeCopyFolder();
  try {
    const root = findWorkspaceRoot(project);
    const copy = join(folder, 'style', 'project');
    const missing = await copyProject(root, copy, signal);
    if (missing !== undefined) return { problem: `the project cannot be copied: ${missing}` };
    const own = stampsOf(root);
    const place = join(realpathSync(copy), relative(root, project));
    const styled: ReadonlyMap<string, StyledFile>[] = [];
    let unread: readonly string[] = [];
    await writeTexts(place, around);
    for (const batch of batches) {
      const run = new FixerRun(place, fixers, batch, signal, limits.timeMs);
      styled.push(await run.run());
      unread = [...run.unread].sort();
      for (const path of batch.keys()) await rm(join(place, path), { force: true });
    }
    const touched = firstDifference(own, stampsOf(root), new Set());
    if (touched !== undefined)
      return { problem: `${touched} changed in the project itself meanwhile` };
    return { styled, unread };
  } catch (error) {
    if (error instanceof FixerProblem) return { problem: error.message };
    throw error;
  } finally {
    await dropCopies(folder);
  }
}

class FixerRun {
  readonly unread = new Set<string>();
  readonly #place: string;
  readonly #fixers: readonly Fixer[];
  readonly #batch: Texts;
  readonly #signal: AbortSignal;
  readonly #timeMs: number;
  readonly #rules = new Map<string, Map<Fixer, Set<string>>>();

  constructor(
    place: string,
    fixers: readonly Fixer[],
    batch: Texts,
    signal: AbortSignal,
    timeMs: number,
  ) {
    this.#place = place;
    this.#fixers = fixers;
    this.#batch = batch;
    this.#signal = signal;
    this.#timeMs = timeMs;
  }

  async run(): Promise<Map<string, StyledFile>> {
    const stages = new Map([...this.#batch].map(([path, text]) => [path, [text]]));
    await writeTexts(this.#place, this.#batch);
    for (const fixer of this.#fixers) {
      const now = await this.#fix(fixer, [...this.#batch.keys()]);
      for (const [path, forms] of stages) forms.push(now.get(path) ?? forms.at(-1)!);
    }
    // What is ignored is known now; the comment itself, and what the last fixer made, may break a rule as well.
    const ignoring = [...this.#rules.keys()];
    if (ignoring.length > 0) {
      await writeTexts(
        this.#place,
        new Map(
          ignoring.map((path) => [path, joinHeader(this.#header(path), stages.get(path)!.at(-1)!)]),
        ),
      );
      for (const fixer of this.#fixers) {
        const now = await this.#fix(fixer, ignoring);
        for (const [path, text] of now)
          stages.get(path)![this.#fixers.length] = splitHeader(text).body;
      }
    }
    return new Map(
      [...stages].map(([path, forms]) => [path, { stages: forms, header: this.#header(path) }]),
    );
  }

  #header(path: string): string {
    return [...(this.#rules.get(path) ?? [])]
      .map(([fixer, rules]) => `${fixer.header!([...rules].sort())}\n`)
      .join('');
  }

  /** The texts of `paths` after `fixer`, of those that it rewrites. @throws {FixerProblem} */
  async #fix(fixer: Fixer, paths: readonly string[]): Promise<Map<string, string>> {
    const wanted = paths.filter((path) => fixer.files.test(path));
    if (wanted.length === 0) return new Map();
    const before = stampsOf(this.#place);
    const words = [...(fixer.isScript ? [process.execPath] : []), fixer.program, ...fixer.args];
    const command = [...words, ...wanted].map(quoted).join(' ');
    const options = { timeMs: this.#timeMs, signal: this.#signal };
    const { status, stdout, output } = await runLimited(command, this.#place, options);
    const fail = (why: string): FixerProblem => new FixerProblem(`${fixer.command} ${why}`);
    if (status === undefined) throw fail(`did not end within ${this.#timeMs / 1000} seconds`);
    if (!fixer.statuses.includes(status))
      throw fail(`ended with status ${status}: ${lineOf(output)}`);
    const other = firstDifference(before, stampsOf(this.#place), new Set(wanted));
    if (other !== undefined) throw fail(`changed ${other}, which it was not asked to`);
    const texts = new Map(wanted.map((path) => [path, this.#read(path, fixer)]));
    for (const { path, rules, isUnread } of fixer.remaining?.(stdout) ?? []) {
      const key = this.#keyOf(path, texts);
      if (key === undefined) continue;
      if (isUnread === true) this.unread.add(key);
      else this.#note(fixer, key, rules);
    }
    return texts;
  }

  #read(path: string, { command }: Fixer): string {
    let text: string;
    try {
      text = readFileSync(join(this.#place, path), 'utf8');
    } catch {
      throw new FixerProblem(`${command} removed ${path}`);
    }
    const { length } = this.#batch.get(path)!;
    const isOther = text.length > length * 3 + 1_000 || text.length * 3 + 200 < length;
    if (isOther) throw new FixerProblem(`${command} rewrote ${path} as another text`);
    return text;
  }

  /** The path in the project of a file as a linter names it. */
  #keyOf(path: string, texts: Texts): string | undefined {
    const own = relative(this.#place, join(path.startsWith(sep) ? '' : this.#place, path));
    return [path, own.split(sep).join('/')].find((one) => texts.has(one));
  }

  #note(fixer: Fixer, path: string, rules: readonly string[]): void {
    const canIgnore = /\.(?:[cm]?[jt]sx?|pyi?)$/i.test(path);
    if (!canIgnore || (fixer.header?.(rules) ?? '') === '') return;
    const ofFile = this.#rules.get(path) ?? new Map<Fixer, Set<string>>();
    this.#rules.set(path, ofFile.set(fixer, new Set([...(ofFile.get(fixer) ?? []), ...rules])));
  }
}

async function writeTexts(place: string, texts: Texts): Promise<void> {
  for (const [path, text] of texts) {
    const file = join(place, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

/** Size and time of change of the files below `folder`, without packages and what tools keep in files with a dot. */
function stampsOf(folder: string): Map<string, string> {
  const stamps = new Map<string, string>();
  const folders = [''];
  // The list grows during the loop.
  for (const at of folders) {
    for (const entry of readdirSync(join(folder, at), { withFileTypes: true })) {
      const path = at === '' ? entry.name : `${at}/${entry.name}`;
      if (entry.name.startsWith('.') || entry.name === 'node_modules' || entry.name === 'venv')
        continue;
      if (entry.isDirectory()) folders.push(path);
      if (!entry.isFile()) continue;
      const { size, mtimeMs } = lstatSync(join(folder, path));
      stamps.set(path, `${size} ${mtimeMs}`);
    }
  }
  return stamps;
}

function firstDifference(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
  allowed: ReadonlySet<string>,
): string | undefined {
  const paths = [...before.keys(), ...after.keys()];
  return paths.find((path) => !allowed.has(path) && before.get(path) !== after.get(path));
}

function lineOf(output: string): string {
  return (
    output
      .split('\n')
      .find((line) => line.trim() !== '')
      ?.trim()
      .slice(0, 200) ?? ''
  );
}

function quoted(word: string): string {
  if (process.platform === 'win32') return `"${word.replaceAll('"', '""')}"`;
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
