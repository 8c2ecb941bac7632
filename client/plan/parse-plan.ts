/**
 * Reads a plan file: a plan, or the whole output of `--dry-run --json`. Untrusted: it may come from
 * anywhere.
 *
 *     {"schema":"stackyard/add@1", "data":{"plan":{"command":"add","builds":[...],"choices":{...}, ...}}, ...}
 */
import { z } from 'zod';
import { parseDocument } from '../../format/document/document.ts';
import { FormatError } from '../../format/errors.ts';
import { ClientError } from '../errors.ts';
import { SavedPlan } from './plan.ts';

const WANTED =
  'a plan is what "stackyard add|update|remove <build> --dry-run --json" prints; make one with: stackyard add <owner>/<name> --dry-run --json > plan.json';
const MAX_PROBLEMS = 3;
const UTF16 = [0xff, 0xfe];
const UTF8_MARK = [0xef, 0xbb, 0xbf];

/**
 * @param name of the file, for messages
 * @throws {ClientError} `ERR_USAGE`: what was expected, where it fails, how to create a plan
 */
export function parsePlan(bytes: Uint8Array, name: string): SavedPlan {
  const value = readJson(bytes, name);
  const { plan, place } = findPlan(value, name);
  const result = SavedPlan.safeParse(plan);
  if (result.success) return result.data;
  const problems = result.error.issues.slice(0, MAX_PROBLEMS).map(({ path, message }) => {
    const field = [...place, ...path].map(String).join('.');
    return `field "${field}": ${message}`;
  });
  throw noPlan(name, problems.join('; '));
}

function readJson(bytes: Uint8Array, name: string): unknown {
  try {
    return parseDocument(z.unknown(), withoutMark(bytes), `"${name}"`);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    const [, problem = error.message] = /^Cannot read .*?": (.*)$/s.exec(error.message) ?? [];
    throw noPlan(name, `${problem}${placeIn(error.cause)}`, error);
  }
}

/** PowerShell redirections write UTF-16, or UTF-8 with a byte order mark. */
function withoutMark(bytes: Uint8Array): Uint8Array {
  const hasMark = (mark: readonly number[]): boolean =>
    mark.every((byte, at) => bytes[at] === byte);
  if (hasMark(UTF16)) return Buffer.from(new TextDecoder('utf-16le').decode(bytes));
  return hasMark(UTF8_MARK) ? bytes.subarray(UTF8_MARK.length) : bytes;
}

/** ` (line 2, column 1)`, if the JSON parser reports it. */
function placeIn(cause: unknown): string {
  if (!(cause instanceof SyntaxError)) return '';
  const [, line, column] = /\(line (\d+) column (\d+)\)/.exec(cause.message) ?? [];
  if (line !== undefined) return ` (line ${line}, column ${column})`;
  return cause.message.includes('end of JSON') ? ' (it ends too early)' : '';
}

/** The plan in `value`, and the path to it. */
function findPlan(value: unknown, name: string): { plan: unknown; place: readonly string[] } {
  if (!isObject(value)) throw noPlan(name, `it contains ${nameOf(value)}`);
  const { schema, data, error } = value;
  if (isObject(data) && isObject(data['plan']))
    return { plan: data['plan'], place: ['data', 'plan'] };
  const [, command] =
    /^stackyard\/([a-z]{1,20})@\d+$/.exec(typeof schema === 'string' ? schema : '') ?? [];
  if (command !== undefined) {
    const message = isObject(error) && typeof error['message'] === 'string' ? error['message'] : '';
    const what = message === '' ? 'an output without a plan' : `the error "${message}"`;
    throw noPlan(name, `it contains ${what} of "stackyard ${command}"`);
  }
  if (!('command' in value) || !('choices' in value)) {
    throw noPlan(name, 'it has neither a field "data.plan" nor the fields of a plan');
  }
  return { plan: value, place: [] };
}

function nameOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function noPlan(name: string, problem: string, cause?: unknown): ClientError {
  return new ClientError('ERR_USAGE', `Cannot apply "${name}": ${problem}`, {
    cause,
    hint: WANTED,
  });
}
