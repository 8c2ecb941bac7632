/**
 * What reports and flags have in common: a statement of an account about one version of a build. Each is
 * one file, named by its digest:
 *
 *     reports/alice/web/1.0.0/6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b.json
 */
import { z } from 'zod';
import { isBuildId } from '../build/build-id.ts';
import { canonicalJson } from '../document/canonical-json.ts';
import { tryParseDay } from './day.ts';
import { sha256Hex } from '../archive/integrity.ts';
import { Integrity } from '../index/record.ts';
import { isVersion } from '../version/version.ts';

export const MAX_NOTE_CHARACTERS = 500;

/** No file of a report or flag is larger: 500 characters of note and the other fields fit in. */
export const MAX_STATEMENT_BYTES = 4_096;

const Account = z
  .string()
  .regex(/^host:[1-9]\d{0,17}$/)
  .describe('host:<numeric id> of the account at the code host.');

/** The fields that every statement has. */
const STATEMENT_FIELDS = {
  build: z.string().refine(isBuildId, { error: 'not a build id' }),
  version: z.string().refine(isVersion, { error: 'not a semver version' }),
  integrity: Integrity,
  account: Account,
  day: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/)
    .refine((text) => tryParseDay(text) !== undefined, { error: 'not a date' })
    .describe('Day of UTC.'),
  note: z
    .string()
    .refine((text) => Array.from(text).length <= MAX_NOTE_CHARACTERS, {
      error: `more than ${MAX_NOTE_CHARACTERS} characters`,
    })
    .refine((text) => text.isWellFormed(), { error: 'half of a surrogate pair' })
    .optional()
    .describe(`At most ${MAX_NOTE_CHARACTERS} characters, without personal data.`),
} as const;

export const StatementId: z.ZodString = z.string().regex(/^[0-9a-f]{64}$/);

/** The folders, at the root of a registry repository. */
export type StatementKind = 'reports' | 'flags';

/** What `statementId` and `statementPath` need of a report or flag. */
export interface StatementBase {
  readonly build: string;
  readonly version: string;
}

/** The SHA-256 of the statement's canonical JSON: the id cannot be chosen. */
export function statementId(statement: StatementBase): string {
  return sha256Hex(new TextEncoder().encode(canonicalJson(statement)));
}

/** The path of a statement's file in a registry repository. */
export function statementPath(kind: StatementKind, statement: StatementBase): string {
  return `${kind}/${statement.build}/${statement.version}/${statementId(statement)}.json`;
}

/** The inverse of `statementPath`; `undefined` for another path. */
export function parseStatementPath(
  path: string,
): (StatementBase & { readonly kind: StatementKind; readonly id: string }) | undefined {
  const [kind = '', owner = '', name = '', version = '', file = '', ...rest] = path.split('/');
  const build = `${owner}/${name}`;
  const id = file.slice(0, -'.json'.length);
  if ((kind !== 'reports' && kind !== 'flags') || rest.length > 0) return undefined;
  if (!isBuildId(build) || !isVersion(version) || file !== `${id}.json`) return undefined;
  return StatementId.safeParse(id).success ? { kind, build, version, id } : undefined;
}

/** The schema of `flags/<owner>/<name>/<version>/<id>.json`. */
export const Flag = z
  .strictObject({
    ...STATEMENT_FIELDS,
    reason: z.enum(['malware', 'secrets', 'licence', 'impersonation', 'broken', 'other']),
  })
  .meta({ title: 'Stackyard flag' });
export type Flag = z.infer<typeof Flag>;

/** The schema of `reports/<owner>/<name>/<version>/<id>.json`. */
export const Report = z
  .strictObject({
    ...STATEMENT_FIELDS,
    outcome: z.enum(['success', 'failure']),
  })
  .meta({ title: 'Stackyard report' });
export type Report = z.infer<typeof Report>;
