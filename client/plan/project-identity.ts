/**
 * The name, version and description in a package.json or pyproject.toml: what belongs to the project, also
 * when a foundation brought the file. Every other byte stays. Pure.
 */
import { tableAt } from '../../format/project/pyproject.ts';
import { normalizePipName } from '../../format/version/pep440.ts';
import { ClientError } from '../errors.ts';
import { PACKAGE_JSON, PYPROJECT } from '../edit/edited-files.ts';
import { keyOf } from '../edit/json/json-insertion.ts';
import { replaceString } from '../edit/json/json-removal.ts';
import { parsePackageJson } from '../edit/json/package-json-tables.ts';
import { readPyproject } from '../edit/python/pyproject-tables.ts';
import { splitBom } from '../edit/project-file.ts';
import { parseToml } from '../edit/toml/toml-document.ts';
import { tryReplaceValue } from '../edit/toml/toml-edit.ts';
import { lowerCase } from '../../format/unicode.ts';

const KEYS = ['name', 'version', 'description'] as const;

/** Only the fields that the file has as strings. */
export type ProjectIdentity = Readonly<Partial<Record<(typeof KEYS)[number], string>>>;

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

/** A package name of npm from the name of a folder; `undefined` when nothing of it can be used. */
export function npmNameOf(folder: string): string | undefined {
  const name = lowerCase(folder)
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
