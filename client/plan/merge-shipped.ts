/**
 * Merges a file of a build: package.json by its entries, .env.example by its variables, everything else by lines. The name, version and
 * description that a project gave itself are no edit.
 */
import { parseEnv } from 'node:util';
import { mergeFile, type FileMerge } from '../edit/merge/merge-file.ts';
import { mergeJson } from '../edit/json/merge-json.ts';
import {
  MERGE_TIMEOUT_MS,
  type MergeOptions,
  mergeText,
  type TextMerge,
} from '../edit/merge/merge-text.ts';
import { splitLines } from '../edit/merge/text-lines.ts';
import { lineEdits } from '../edit/merge/line-edits.ts';
import { tableAt } from '../../format/project/pyproject.ts';
import { normalizePipName } from '../../format/version/pep440.ts';
import { ClientError } from '../errors.ts';
import { PACKAGE_JSON, PYPROJECT } from '../edit/edited-files.ts';
import { splitBom } from '../edit/project-file.ts';
import { keyOf, replaceString } from '../edit/json/json-insertion.ts';
import { parsePackageJson } from '../edit/json/package-json-tables.ts';
import { readPyproject } from '../edit/python/pyproject-tables.ts';
import { parseToml } from '../edit/toml/toml-value.ts';
import { tryReplaceValue } from '../edit/toml/toml-edit.ts';

/** @param path of the file; its name selects the kind of merge */
export function mergeShipped(
  path: string,
  base: Uint8Array | undefined,
  ours: Uint8Array | undefined,
  theirs: Uint8Array,
  options: MergeOptions,
): FileMerge {
  if (base === undefined || ours === undefined || !hasIdentity(path)) {
    return mergeSides(path, base, ours, theirs, options);
  }
  const [before, after] = [base, theirs].map((bytes) => adoptIdentity(path, bytes, ours)) as [
    Uint8Array,
    Uint8Array,
  ];
  const merge = mergeSides(path, before, ours, after, options);
  // "replace" stands for the bytes of the build, which have another name.
  const isRenamed = after !== theirs;
  if (!isRenamed || merge.kind !== 'replace') return merge;
  const isSame = Buffer.compare(after, ours) === 0;
  return isSame ? { kind: 'keep' } : { kind: 'merged', bytes: after };
}

function mergeSides(
  path: string,
  base: Uint8Array | undefined,
  ours: Uint8Array | undefined,
  theirs: Uint8Array,
  options: MergeOptions,
): FileMerge {
  const isEdited = base !== undefined && ours !== undefined && Buffer.compare(base, ours) !== 0;
  if (isEdited && /(?:^|\/)package\.json$/.test(path)) {
    const merge = mergeManifest(base, ours, theirs, options);
    if (merge !== undefined) return merge;
  }
  const isEnv = /(?:^|\/)\.env\.example$/.test(path);
  const merge = mergeFile(base, ours, theirs, options, isEnv ? mergeEnv : mergeText);
  if (merge.kind !== 'conflict' || merge.reason !== 'added-by-both') return merge;
  // Compared with an empty base, both sides differ completely: the markers show both files.
  const marked = mergeFile(new Uint8Array(), ours, theirs, { ...options, favor: undefined });
  return marked.kind === 'conflict' && marked.marked !== undefined
    ? { ...merge, marked: marked.marked }
    : merge;
}

/** `undefined` when keys conflict or a side is not a JSON object: then the lines are merged. */
function mergeManifest(
  base: Uint8Array,
  ours: Uint8Array,
  theirs: Uint8Array,
  { favor }: MergeOptions,
): FileMerge | undefined {
  const texts = [base, ours, theirs].map((bytes) => Buffer.from(bytes).toString('utf8'));
  const [before = '', own = '', after = ''] = texts;
  const merge = mergeJson(before, own, after, favor);
  if (merge?.kind !== 'clean') return undefined;
  return merge.text === own ? { kind: 'keep' } : { kind: 'merged', bytes: Buffer.from(merge.text) };
}

// Three-way merge of a file of variables, such as `.env.example`. Builds append their variables to it, and a new version
// of the file has more variables at the same place: by lines alone that is a conflict, though neither side loses any.

/**
 * Merges as `mergeText` does; where that conflicts, variables that `ours` has after everything of `base` are put after
 * everything of `theirs`.
 */
export function mergeEnv(
  base: string,
  ours: string,
  theirs: string,
  options: MergeOptions = {},
): TextMerge {
  const merge = mergeText(base, ours, theirs, { ...options, favor: undefined });
  if (merge.kind === 'clean') return merge;
  const parts = splitAppended(base, ours, options.timeoutMs ?? MERGE_TIMEOUT_MS);
  const names = Object.keys(parseEnv(parts?.appended ?? ''));
  const theirNames = parseEnv(theirs);
  if (parts !== undefined && !names.some((name) => Object.hasOwn(theirNames, name))) {
    const before = mergeText(base, parts.before, theirs, options);
    if (before.kind === 'clean') return { kind: 'clean', text: join(before.text, parts.appended) };
  }
  return mergeText(base, ours, theirs, options);
}

/** `ours` before and from the lines that follow the last one of `base`, if there are any. */
function splitAppended(
  base: string,
  ours: string,
  timeoutMs: number,
): { readonly before: string; readonly appended: string } | undefined {
  const { lines } = splitLines(base);
  const own = splitLines(ours);
  const last = lineEdits(lines, own.lines, timeoutMs)?.at(-1);
  if (last === undefined || last.baseStart !== lines.length) return undefined;
  const rest = own.lines
    .slice(last.start)
    .map((line, n) => line + (own.ends[last.start + n] ?? ''));
  const appended = rest.join('');
  return { before: ours.slice(0, ours.length - appended.length), appended };
}

function join(text: string, appended: string): string {
  const isOpen = text !== '' && !text.endsWith('\n');
  return text + (isOpen ? '\n' : '') + appended;
}

/**
 * The name, version and description in a package.json or pyproject.toml: what belongs to the project, also
 * when a foundation brought the file. Every other byte stays. Pure.
 */
const KEYS = ['name', 'version', 'description'] as const;

/** Only the fields that the file has as strings. */
type ProjectIdentity = Readonly<Partial<Record<(typeof KEYS)[number], string>>>;

/** Whether the file at `path`, from the project's root, has an identity. */
export function hasIdentity(path: string): boolean {
  return path === PACKAGE_JSON || path === PYPROJECT;
}

/** The identity in `text`; empty for a file that cannot be read. */
export function readIdentity(path: string, text: string): ProjectIdentity {
  const fields = fieldsOf(path, splitBom(text).body);
  return Object.fromEntries(
    KEYS.flatMap((key) => (typeof fields[key] === 'string' ? [[key, fields[key]]] : [])),
  );
}

/** `text` with the fields of `identity` that it has already; unchanged if it cannot be read. */
export function withIdentity(path: string, text: string, identity: ProjectIdentity): string {
  const { bom, body } = splitBom(text);
  const present = readIdentity(path, text);
  let edited = body;
  for (const key of KEYS) {
    const value = identity[key];
    if (value === undefined || present[key] === undefined || present[key] === value) continue;
    edited =
      path === PACKAGE_JSON
        ? replaceString(edited, [], key, value)
        : (tryReplaceValue(edited, tableOf(edited), key, value) ?? edited);
  }
  return bom + edited;
}

/** `bytes` of the file at `path` with the identity of `ours`; the same object where that changes nothing. */
export function adoptIdentity(path: string, bytes: Uint8Array, ours: Uint8Array): Uint8Array {
  const identity = readIdentity(path, Buffer.from(ours).toString('utf8'));
  const text = Buffer.from(bytes).toString('utf8');
  const adopted = withIdentity(path, text, identity);
  return adopted === text ? bytes : Buffer.from(adopted);
}

/** A package name of npm from the name of a folder; `undefined` when nothing of it can be used. */
export function npmNameOf(folder: string): string | undefined {
  const name = folder
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+/, '')
    .slice(0, 214)
    .replace(/[._-]+$/, '');
  return ['', 'node_modules', 'favicon.ico'].includes(name) ? undefined : name;
}

/**
 * A distribution name (PEP 508) from the name of a folder; `undefined` when nothing of it can be used.
 * @param pyproject the text of the project's file: a project cannot be installed under the name of what it needs
 */
export function pipNameOf(folder: string, pyproject = ''): string | undefined {
  const name = folder.replaceAll(/[^A-Za-z0-9._-]+/g, '-').replaceAll(/^[._-]+|[._-]+$/g, '');
  return name === '' || isNeeded(pyproject, name) ? undefined : name;
}

function isNeeded(pyproject: string, name: string): boolean {
  try {
    return readPyproject(pyproject).distributions.has(normalizePipName(name));
  } catch (error) {
    if (error instanceof ClientError) return false;
    throw error;
  }
}

function fieldsOf(path: string, body: string): Readonly<Record<string, unknown>> {
  try {
    if (path !== PACKAGE_JSON) return tableAt(parseToml(body), tableOf(body)) ?? {};
    const properties = parsePackageJson(body).children ?? [];
    return Object.fromEntries(
      properties.map((property) => [keyOf(property), property.children?.[1]?.value as unknown]),
    );
  } catch (error) {
    // TOML that cannot be parsed, or JSON with a place in the message.
    if (error instanceof ClientError || error instanceof Error) return {};
    throw error;
  }
}

function tableOf(body: string): readonly string[] {
  return tableAt(parseToml(body), ['project']) === undefined ? ['tool', 'poetry'] : ['project'];
}
