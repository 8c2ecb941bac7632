/** Turns the issues of a schema into findings that name the field and the wanted form. */
import { closest, distance } from 'fastest-levenshtein';
import type { z } from 'zod';
import { MANIFEST_FILE } from './build-files.ts';
import { finding, type Finding } from '../finding/finding.ts';

const MAX_QUOTED_LENGTH = 60;

type Issue = z.core.$ZodIssue;

/**
 * One finding per problem, in the order of the schema.
 * @param input the value that was parsed, for quoting what was found
 * @param known the fields at the root, for "did you mean"
 */
export function fieldFindings(
  error: z.ZodError,
  input: unknown,
  known: readonly string[],
): Finding[] {
  return error.issues.flatMap((issue) => issueFindings(issue, input, known));
}

/** A value as a finding quotes it: JSON, cut where it is long. */
function quoteValue(value: unknown): string {
  const json = JSON.stringify(value) ?? String(value);
  return json.length <= MAX_QUOTED_LENGTH
    ? json
    : `${json.slice(0, MAX_QUOTED_LENGTH)}... (${json.length} characters)`;
}

/** `stack.requires.express`, `keywords[3]`, `env["odd key"]`. */
function formatFieldPath(path: readonly PropertyKey[]): string {
  return path
    .map((part, at) => {
      if (typeof part === 'number') return `[${part}]`;
      const key = String(part);
      if (!/^[\w$@/.-]+$/.test(key)) return `[${JSON.stringify(key)}]`;
      return at === 0 ? key : `.${key}`;
    })
    .join('');
}

function issueFindings(issue: Issue, input: unknown, known: readonly string[]): Finding[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => {
      const near = issue.path.length === 0 && known.length > 0 ? closest(key, known) : undefined;
      const suggestion = near !== undefined && distance(key, near) <= 2 ? { nearest: near } : {};
      const field = formatFieldPath([...issue.path, key]);
      return finding('manifest-field-unknown', MANIFEST_FILE, { field, ...suggestion });
    });
  }
  const field = formatFieldPath(issue.path);
  const wanted = wantedForm(issue);
  const value = valueAt(input, issue.path);
  if (value === undefined) {
    return [finding('manifest-field-missing', MANIFEST_FILE, { field, wanted })];
  }
  if (issue.code === 'invalid_type') {
    const found = typeName(value);
    return [finding('manifest-field-type', MANIFEST_FILE, { field, found, wanted })];
  }
  const isKey = issue.code === 'custom' && issue.params?.['key'] === true;
  const found = isKey ? 'a key of another form' : quoteValue(value);
  return [finding('manifest-field-value', MANIFEST_FILE, { field, found, wanted })];
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}

function wantedForm(issue: Issue): string {
  if (issue.code !== 'invalid_type') return issue.message;
  const article = /^[aeiou]/.test(issue.expected) ? 'an' : 'a';
  return issue.expected === 'record' ? 'an object' : `${article} ${issue.expected}`;
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
