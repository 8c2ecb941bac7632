/**
 * What was measured about the ranges of a build: with which versions of its stack tags and packages a version of it
 * worked. `signals/<owner>/<name>.matrix.json` has it, and `/builds/<owner>/<name>/compatibility.json` with the id.
 */
import { z } from 'zod';
import { isBuildId } from '../build/build-id.ts';
import { isVersion } from '../version/version.ts';
import { isTagVersion } from '../version/tag-version.ts';

/** What is done with a combination of versions, in this order; the first that fails ends it. */
export const MATRIX_STEPS = ['add', 'packages', 'types', 'load', 'verify'] as const;
export type MatrixStep = (typeof MATRIX_STEPS)[number];

/** A file of signals is not larger. */
export const MAX_MATRIX_BYTES = 1_000_000;
/** Of one version of a build. */
export const MAX_ROWS = 500;
export const MAX_MEASURED_VERSIONS = 20;
export const MAX_ERROR_LINES = 5;
export const MAX_ERROR_LINE_CHARACTERS = 240;

const TagVersion = z.string().refine(isTagVersion, { error: 'not a version' });
const Tag = z
  .string()
  .regex(/^(?:@[a-z0-9][a-z0-9._-]*\/)?[a-zA-Z0-9][a-zA-Z0-9._-]*$/)
  .max(214);
const Day = z.iso.date();
const ErrorLine = z
  .string()
  .min(1)
  .max(MAX_ERROR_LINE_CHARACTERS)
  .regex(/^\P{Cc}*$/u);

const ROW = {
  tag: Tag.describe('A runtime, an npm package or a pip distribution.'),
  version: TagVersion.describe('The version of it that was used.'),
  others: z
    .enum(['newest', 'lowest'])
    .describe(
      'Which versions of the others were used: the newest that their ranges admit; the lowest, where it fails with the newest.',
    ),
  with: z.record(Tag, TagVersion).describe('Those versions.'),
  outcome: z.enum(['ok', 'failed']),
  step: z.enum(MATRIX_STEPS).optional().describe('The step that failed.'),
  error: z
    .array(ErrorLine)
    .min(1)
    .max(MAX_ERROR_LINES)
    .optional()
    .describe('The first lines of what the failed step wrote.'),
  date: Day.describe('When it was measured, in UTC.'),
  since: Day.describe('The first measurement with this outcome, without another one after it.'),
};

function isConsistent(row: {
  readonly outcome: string;
  readonly step?: unknown;
  readonly error?: unknown;
}): boolean {
  const isFailed = row.outcome === 'failed';
  return isFailed === (row.step !== undefined) && isFailed === (row.error !== undefined);
}

const CONSISTENT = {
  error: 'a failed row has a step and an error, and no other has',
  path: ['step'],
};
const ORDERED = { error: 'is after "date"', path: ['since'] };

/** Written by the command `matrix`. */
const WrittenRow = z
  .strictObject(ROW)
  .refine(isConsistent, CONSISTENT)
  .refine((row) => row.since <= row.date, ORDERED);
/** Read from an index, of which a newer one may have more fields. */
const ServedRow = z.object(ROW);
export type MatrixRow = z.infer<typeof WrittenRow>;

function measured<Row extends typeof WrittenRow | typeof ServedRow>(row: Row) {
  return {
    version: z
      .string()
      .refine(isVersion, { error: 'not a semver version' })
      .describe('Version of the build.'),
    results: z
      .array(row)
      .max(MAX_ROWS)
      .describe('Sorted by tag, version and "others"; one row for each.'),
  };
}

/** The schema of `signals/<owner>/<name>.matrix.json`, which the command `matrix` writes. */
export const Matrix = z
  .strictObject({
    versions: z
      .array(z.strictObject(measured(WrittenRow)))
      .max(MAX_MEASURED_VERSIONS)
      .describe('The highest version first.'),
  })
  .refine(({ versions }) => versions.every(({ results }) => areDistinct(results.map(rowKey))), {
    error: 'a version has two rows of one tag, version and "others"',
    path: ['versions'],
  })
  .refine(({ versions }) => areDistinct(versions.map(({ version }) => version)), {
    error: 'two entries are of one version',
    path: ['versions'],
  })
  .meta({ title: 'Stackyard compatibility matrix' });
export type Matrix = z.infer<typeof Matrix>;
export type MeasuredVersion = Matrix['versions'][number];

/** The schema of `/builds/<owner>/<name>/compatibility.json`. */
export const Compatibility = z
  .object({
    id: z.string().refine(isBuildId, { error: 'not a build id' }),
    versions: z.array(z.object(measured(ServedRow))),
  })
  .meta({ title: 'Stackyard compatibility' });
export type Compatibility = z.infer<typeof Compatibility>;

/** What two rows of one version of a build must not share. */
export function rowKey({
  tag,
  version,
  others,
}: Pick<MatrixRow, 'tag' | 'version' | 'others'>): string {
  return `${tag} ${version} ${others}`;
}

function areDistinct(keys: readonly string[]): boolean {
  return new Set(keys).size === keys.length;
}
