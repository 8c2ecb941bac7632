/**
 * Reads a plan file: a plan, or the whole output of `--dry-run --json`. Untrusted: it may come from
 * anywhere.
 *
 *     {"schema":"stackyard/add@1", "data":{"plan":{"command":"add","builds":[...],"choices":{...}, ...}}, ...}
 */
import { z } from 'zod';
import { isBuildId } from '../../format/build/build-id.ts';
import { isFilePath } from '../../format/build/file-path.ts';
import { parseDocument } from '../../format/document/document.ts';
import { FormatError } from '../../format/errors.ts';
import { Integrity } from '../../format/index/record.ts';
import { isRegistryName } from '../../format/registry/registry-name.ts';
import { isRange } from '../../format/version/semver-range.ts';
import { isVersion } from '../../format/version/version.ts';
import { ClientError } from '../errors.ts';

const Id = z.string().refine(isBuildId, { error: 'not a build id' });
const Version = z.string().refine(isVersion, { error: 'not a version' });
const Name = z.string().refine(isRegistryName, { error: 'not a name of a registry' });
const Range = z.string().refine(isRange, { error: 'not a range' });

const OnExists = z.enum(['fail', 'skip', 'theirs', 'merge']);

/** The fields from which the rest of a plan follows. */
const PlanBasis = z.looseObject({
  command: z.enum(['add', 'update', 'remove', 'wire', 'unwire']),
  registry: z.string(),
  registries: z.record(Name, z.looseObject({ via: Name.optional() })).optional(),
  builds: z.array(
    z.looseObject({
      id: Id,
      version: Version,
      integrity: Integrity,
      action: z.enum(['add', 'update', 'remove']),
      registry: Name.optional(),
      source: z.string().max(1_010).optional(),
    }),
  ),
  choices: z.strictObject({
    requested: z.record(Id, Range),
    on_exists: OnExists,
    on_exists_at: z.record(z.string(), OnExists).optional(),
    on_conflict: z.enum(['fail', 'ours', 'theirs', 'markers']),
    restore: z.boolean(),
    force: z.boolean(),
    allow: z.array(z.string()),
    keep: z.array(z.string()).optional(),
    to: z.record(Id, z.union([z.literal(''), z.string().refine(isFilePath)])).optional(),
    imports: z.enum(['relative', 'alias']).optional(),
    wire: z.union([z.literal(true), z.array(Id)]).optional(),
    unwire: z.array(Id).optional(),
  }),
});

export type PlanBasis = z.infer<typeof PlanBasis>;

const WANTED =
  'a plan is what "stackyard add|update|remove <build> --dry-run --json" prints; make one with: stackyard add <owner>/<name> --dry-run --json > plan.json';
const MAX_PROBLEMS = 3;
const UTF16 = [0xff, 0xfe];
const UTF8_MARK = [0xef, 0xbb, 0xbf];

/**
 * @param name of the file, for messages
 * @throws {ClientError} `ERR_USAGE`: what was expected, where it fails, how to create a plan
 */
export function parsePlan(bytes: Uint8Array, name: string): PlanBasis {
  const value = readJson(bytes, name);
  const { plan, place } = findPlan(value, name);
  const result = PlanBasis.safeParse(plan);
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
