/**
 * The compiler options of a project's tsconfig.json, each with the file and line that set it; `extends` is followed
 * as TypeScript does. Hostile input: cycles, missing files and large files are problems, never exceptions.
 */
import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { findNodeAtLocation, getNodeValue, parseTree } from 'jsonc-parser';
import type { Node, ParseError } from 'jsonc-parser';
import { field } from '../../../format/document/canonical-json.ts';
import { readJson, readText } from '../read-file.ts';

export interface CompilerOption {
  readonly value: unknown;
  /** Relative to the project, `/`-separated. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

export interface Tsconfig {
  /** By name in lower case. */
  readonly options: ReadonlyMap<string, CompilerOption>;
  /** The patterns of "include", relative to the project; none: all files. */
  readonly include: readonly string[];
  /** The paths of "references" of the file itself. */
  readonly references: readonly string[];
  /** Why options may be missing, each with its file. */
  readonly problems: readonly string[];
}

const MAX_BYTES = 1024 * 1024;
/** Files in one chain. */
const MAX_FILES = 50;

/** The options of `tsconfig.json` in the folder `project`, or of another file there; `undefined` where there is none. */
export function readTsconfig(project: string, name = 'tsconfig.json'): Tsconfig | undefined {
  const file = join(project, name);
  if (!isFile(file)) return undefined;
  const reader = new Reader(project, dirname(resolve(file)));
  reader.read(file, []);
  return reader;
}

/** The folder or file that an option states, absolute, from the file that has it. */
export function optionPath(
  project: string,
  options: Tsconfig['options'],
  name: string,
): string | undefined {
  const { value, file = '' } = options.get(name) ?? {};
  return typeof value === 'string' ? resolve(project, dirname(file), value) : undefined;
}

class Reader implements Tsconfig {
  readonly options = new Map<string, CompilerOption>();
  readonly problems: string[] = [];
  include: readonly string[] = [];
  references: readonly string[] = [];
  readonly #project: string;
  readonly #configDir: string;
  #files = 0;

  constructor(project: string, configDir: string) {
    this.#project = project;
    this.#configDir = configDir;
  }

  /** Reads what `file` extends, then its own options, which replace those. */
  read(file: string, chain: readonly string[]): void {
    const name = this.#nameOf(file);
    if (chain.includes(file)) {
      this.problems.push(
        `${name} extends itself, by ${chain.map((f) => this.#nameOf(f)).join(', ')}`,
      );
      return;
    }
    this.#files += 1;
    if (this.#files > MAX_FILES) {
      if (this.#files === MAX_FILES + 1) this.problems.push(`${name}: it extends too many files`);
      return;
    }
    if (statSync(file).size > MAX_BYTES) {
      this.problems.push(`${name}: it has more than ${MAX_BYTES} bytes`);
      return;
    }
    const text = readText(file);
    const root = this.#parse(text, name);
    if (root === undefined) return;
    for (const { value, line } of basesIn(root, text)) {
      const base = findBase(dirname(file), value);
      if (base === undefined)
        this.problems.push(`${name}:${line} extends "${value}", which is missing`);
      else this.read(base, [...chain, file]);
    }
    const listed = findNodeAtLocation(root, ['include'])?.children ?? [];
    const patterns = listed.flatMap(({ value }: Node) =>
      typeof value === 'string' ? [this.#nameOf(resolve(dirname(file), this.#place(value)))] : [],
    );
    if (patterns.length > 0) this.include = patterns;
    if (chain.length === 0) {
      const named = findNodeAtLocation(root, ['references'])?.children ?? [];
      this.references = named.flatMap((one) => {
        const path: unknown = findNodeAtLocation(one, ['path'])?.value;
        return typeof path === 'string' ? [path] : [];
      });
    }
    for (const property of findNodeAtLocation(root, ['compilerOptions'])?.children ?? []) {
      const [key, value] = property.children ?? [];
      if (key === undefined || value === undefined) continue;
      const option = {
        value: this.#place(getNodeValue(value)),
        file: name,
        line: lineAt(text, key.offset),
      };
      // `null` takes back what an extended file sets.
      if (option.value === null) this.options.delete(String(key.value).toLowerCase());
      else this.options.set(String(key.value).toLowerCase(), option);
    }
  }

  /** `value` with the folder of the first file for `${configDir}`, which only paths begin with. */
  #place<Value>(value: Value): Value;
  #place(value: unknown): unknown {
    if (typeof value === 'string') {
      return value.replace(/^\$\{configDir\}/i, () => this.#configDir);
    }
    if (Array.isArray(value)) return value.map((one: unknown) => this.#place(one));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, this.#place(one)]));
  }

  #parse(text: string, name: string): Node | undefined {
    const errors: ParseError[] = [];
    try {
      const root = parseTree(text, errors, { allowTrailingComma: true });
      const [first] = errors;
      if (root?.type === 'object' && first === undefined) return root;
      this.problems.push(`${name}:${lineAt(text, first?.offset ?? 0)} is not JSON with comments`);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.problems.push(`${name}: it is nested too deeply`);
    }
    return undefined;
  }

  #nameOf(file: string): string {
    return relative(this.#project, file).split(sep).join('/');
  }
}

function basesIn(root: Node, text: string): { value: string; line: number }[] {
  const node = findNodeAtLocation(root, ['extends']);
  const nodes = node?.type === 'array' ? (node.children ?? []) : node === undefined ? [] : [node];
  return nodes.flatMap(({ value, offset }: Node) =>
    typeof value === 'string' ? [{ value, line: lineAt(text, offset) }] : [],
  );
}

/** The file that `name` in `extends` means: a path, or a package. */
function findBase(folder: string, name: string): string | undefined {
  if (isAbsolute(name) || /^\.\.?(?:\/|\\|$)/.test(name)) {
    const file = resolve(folder, name);
    const inFolder = /^\.\.?$/.test(name) ? [join(file, 'tsconfig.json')] : [];
    return [file, `${file}.json`, ...inFolder].find(isFile);
  }
  const require = createRequire(join(folder, 'tsconfig.json'));
  const names = [name, `${name}.json`, `${name}/tsconfig.json`];
  const manifest = tryResolve(require, `${name}/package.json`);
  const stated = manifest === undefined ? undefined : field(readJson(manifest), 'tsconfig');
  if (typeof stated === 'string') names.unshift(join(dirname(manifest!), stated));
  return names.map((one) => tryResolve(require, one)).find((file) => file?.endsWith('.json'));
}

function tryResolve(require: NodeJS.Require, name: string): string | undefined {
  try {
    return require.resolve(name);
  } catch {
    return undefined;
  }
}

function isFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true;
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
