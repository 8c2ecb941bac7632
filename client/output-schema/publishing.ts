/** The schemas of the data of commands for publishers. */
import { ConsentOutput } from './plan.ts';
import { z } from 'zod';
import { Manifest } from '../../format/build/manifest.ts';
import { Integrity } from '../../format/index/record.ts';

const Findings = z.array(
  z.looseObject({
    level: z.enum(['error', 'warn', 'info']),
    code: z.string(),
    file: z.string(),
    message: z.string(),
  }),
);

/** The data about a pull request. */
const PROPOSED = {
  repository: z.string(),
  branch: z.string(),
  base: z.string().describe('The branch that the pull request goes to.'),
  files: z.array(
    z.strictObject({ path: z.string(), change: z.enum(['added', 'changed', 'deleted']) }),
  ),
  pushed_to: z.string().optional().describe('Absent with --dry-run, as what follows.'),
  commit: z.string().optional(),
  state: z.enum(['pushed', 'updated', 'unchanged']).optional(),
  compare: z.string().optional().describe('The page that opens the pull request.'),
  pull_request: z.string().optional().describe('Absent without GITHUB_TOKEN.'),
  build: z.string(),
};

/** The reports that a CI run has sent. */
export const CiReports = z
  .array(
    z.strictObject({
      build: z.string(),
      version: z.string(),
      outcome: z.enum(['success', 'failure']),
      id: z.string().optional(),
      refused: z.string().optional().describe('Why the service does not take it.'),
    }),
  )
  .describe('What was sent, with --report or --ci.');

const Refused = z.looseObject({ build: z.string(), findings: Findings });

export const PUBLISHING_OUTPUTS: Readonly<Record<string, z.ZodType>> = {
  init: z.strictObject({
    folder: z.string(),
    base: z.string().optional(),
    owner: z.string().optional(),
    manifest: Manifest,
    written: z.array(z.string()),
    kept: z.array(z.string()),
  }),
  import: z.strictObject({
    source: z.string(),
    folder: z.string().describe('The folder of the builds.'),
    builds: z.array(
      z.strictObject({
        id: z.string(),
        item: z.string(),
        license: z.string(),
        requires: z.array(z.string()),
        files: z.array(z.string()),
        notes: z.array(z.string()).describe('What needs a person.'),
      }),
    ),
    consent: ConsentOutput,
    bundles: z
      .array(z.string())
      .describe('Items that only name others: what requires them requires those.'),
    left_out: z.array(z.strictObject({ item: z.string(), code: z.string(), problem: z.string() })),
  }),
  check: z.looseObject({
    build: z.string(),
    publishable: z.boolean(),
    risk: z.string().optional().describe('Absent when the build is not valid.'),
    quality: z.int().optional(),
    findings: Findings,
    external: z
      .array(z.looseObject({ scanner: z.string(), rule: z.string(), path: z.string() }))
      .optional()
      .describe('Of another scanner, with --with.'),
  }),
  pack: z.union([
    z.strictObject({
      build: z.string(),
      version: z.string(),
      integrity: Integrity,
      size: z.int(),
      files: z.array(z.strictObject({ path: z.string(), size: z.int() })),
      out: z.string().optional(),
    }),
    Refused,
  ]),
  publish: z.union([
    z.strictObject({
      ...PROPOSED,
      version: z.string(),
      integrity: Integrity,
      first_of_owner: z.boolean(),
    }),
    Refused,
  ]),
  yank: z.strictObject({ ...PROPOSED, version: z.string(), reason: z.string().optional() }),
  deprecate: z.strictObject({
    ...PROPOSED,
    reason: z.string().optional(),
    replacement: z.string().optional(),
  }),
  report: z.union([
    z.strictObject({ ...PROPOSED, version: z.string(), document: z.looseObject({}) }),
    z.strictObject({ reports: CiReports }),
  ]),
  flag: z.strictObject({ ...PROPOSED, version: z.string(), document: z.looseObject({}) }),
};
