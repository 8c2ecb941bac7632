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
import { Integrity, Timestamp } from '../index/record.ts';
import { isVersion } from '../version/version.ts';

/**
 * A repository whose CI runs sign reports and flags by OpenID Connect:
 *
 *     ci:token.actions.githubusercontent.com:123456
 *     ci:git.example.org/group:42
 */

/** The numeric ids of a run at its code host: who owns the repository, and who started the run. */
export const CiOrigin = z.strictObject({
  owner: z.string().regex(/^[1-9]\d{0,17}$/),
  actor: z.string().regex(/^[1-9]\d{0,17}$/),
});
export type CiOrigin = z.infer<typeof CiOrigin>;

/** The account of a repository, as reports and flags name it. @param issuer an address without a final slash */
export function ciAccount(issuer: string, repositoryId: string): string {
  return `ci:${issuer.replace(/^https?:\/\//, '')}:${repositoryId}`;
}

/** The issuer of an account of `ciAccount`, without its scheme; `undefined` for an account of another kind. */
export function ciIssuer(account: string): string | undefined {
  return account.startsWith('ci:') ? account.slice(3, account.lastIndexOf(':')) : undefined;
}

export const MAX_NOTE_CHARACTERS = 500;

/** No file of a report or flag is larger: 500 characters of note and the other fields fit in. */
export const MAX_STATEMENT_BYTES = 4_096;

/** `host:<numeric id>` at the code host, `service:<id>` at an account service, or `ci:<issuer>:<repository id>`. */
const Account = z
  .string()
  .regex(
    /^(?:host:[1-9]\d{0,17}|service:[a-z0-9]{1,64}|ci:[a-z0-9.-]{1,100}(?::\d{1,5})?(?:\/[A-Za-z0-9._/-]{1,100})?:[1-9]\d{0,17})$/,
  )
  .describe(
    'host:<numeric id> at the code host, service:<id> at an account service, or ci:<issuer>:<repository id> of a CI run.',
  );

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

/** A line of an export of flags; `received_at` is the exporting service's own time. */
export const FlagLine = z.strictObject({
  id: StatementId,
  received_at: Timestamp,
  flag: Flag,
  ci: CiOrigin.optional(),
});

/** A name of a stack tag or package and a version: `node 24.1`, `@scope/name 5.3.0`. Never free text. */
const NAME_AND_VERSION: RegExp =
  /^(?:@[a-z0-9-]{1,40}\/)?[a-z0-9][a-z0-9._-]{0,49} \d[0-9A-Za-z.+-]{0,29}$/;

/** How many versions of the stack a report has at most. */
export const MAX_STACK_VERSIONS = 16;

const OPERATING_SYSTEMS = ['linux', 'macos', 'windows', 'other'] as const;

export const RanOn = z
  .strictObject({
    stack: z
      .array(z.string().regex(NAME_AND_VERSION))
      .max(MAX_STACK_VERSIONS)
      .describe('Names and versions of what the build requires, such as "express 5.3.0".'),
    manager: z
      .string()
      .regex(NAME_AND_VERSION)
      .optional()
      .describe('The package manager, such as "npm 11.4.2".'),
    os: z.enum(OPERATING_SYSTEMS),
  })
  .describe('What the run ran on.');
export type RanOn = z.infer<typeof RanOn>;

/** `<name> <version>`; `undefined` when a report cannot hold it. */
export function tryNameVersion(name: string, version: string): string | undefined {
  const text = `${name} ${version}`;
  return NAME_AND_VERSION.test(text) ? text : undefined;
}

/** The schema of `reports/<owner>/<name>/<version>/<id>.json`. */
export const Report = z
  .strictObject({
    ...STATEMENT_FIELDS,
    outcome: z.enum(['success', 'failure']),
    ran_on: RanOn.optional(),
  })
  .meta({ title: 'Stackyard report' });
export type Report = z.infer<typeof Report>;

/** A line of an export of reports; `received_at` is the exporting service's own time, `ci` of an account `ci:...`. */
export const ReportLine = z.strictObject({
  id: StatementId,
  received_at: Timestamp,
  report: Report,
  ci: CiOrigin.optional(),
});
