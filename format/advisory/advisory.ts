/**
 * `advisories/<id>.json` in the repository of a registry: a known fault of published versions, in the OSV schema 1.9.0.
 * Only what the OSV schema allows is allowed, and of that only what is listed here. The content is hostile.
 *
 * A registry is a local database by that schema: its ids begin with `x_`. The schema has no ecosystem for packages of such a
 * database, so an entry of `affected` has no `package`, and `database_specific` names the build.
 */
import { z } from 'zod';
import { isBuildId } from '../build/build-id.ts';
import { NumberedAccount } from '../registry/account.ts';
import { compareVersions, hasSamePrecedence } from '../version/semver-range.ts';
import { isVersion } from '../version/version.ts';
import { BEGINNING } from './osv-range.ts';

/** No advisory is larger. */
export const MAX_ADVISORY_BYTES = 100_000;
/** The folder in a repository, and in the index. */
export const ADVISORIES_FOLDER = 'advisories';

const ID_PATTERN = /^(?:x_)?[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)+$/;
const MAX_ID_LENGTH = 64;

/** With what the ids of other databases begin: those of $defs/prefix of the OSV schema that have only capital letters. */
export const DATABASES: readonly string[] =
  `ALBA ALEA ALPINE ALSA ASB-A AZL BELL BIT BREW CGA CLEANSTART CLSA CURL CVE DEBIAN DHI DLA DRUPAL DSA DTSA ECHO EEF ELA
  GHSA GO GSD HSEC JLSEC KUBE LBSEC LSN MAL MGASA MINI OESA OSEC OSV PHSA PSF PUB-A PYSEC RHBA RHEA RHSA RLSA ROOT RSEC
  RUSTSEC RXSA SUSE-FU SUSE-OU SUSE-RU SUSE-SU UBUNTU USN V8 VCPKG`.split(/\s+/);

/**
 * Whether `text` has the form of an id: `x_STACKYARD-2026-0001`, or `MAL-2026-1` of another database. Otherwise capital
 * letters, so that no file system joins two of them.
 */
export function isAdvisoryId(text: string): boolean {
  return text.length <= MAX_ID_LENGTH && ID_PATTERN.test(text);
}

/** The number of an id that a registry with this prefix gives in a year, `x_ACME-2026-0012`; `undefined` for another id. */
export function advisoryNumber(id: string, prefix: string, year: number): number | undefined {
  const start = `x_${prefix}-${year}-`;
  const number = Number(/^\d{4,9}$/.exec(id.slice(start.length))?.[0] ?? NaN);
  return advisoryId(prefix, year, number) === id ? number : undefined;
}

/** The inverse. @param number from 1 */
export function advisoryId(prefix: string, year: number, number: number): string {
  return `x_${prefix}-${year}-${String(number).padStart(4, '0')}`;
}

/** Whether `text` may be an id of any OSV database. */
export function isOsvId(text: string): boolean {
  return /^[\w.:-]{1,100}$/.test(text);
}

const Id = z
  .string()
  .max(MAX_ID_LENGTH)
  .regex(ID_PATTERN, { error: 'not an id such as "x_STACKYARD-2026-0001"' })
  .refine((id) => id.startsWith('x_') || DATABASES.some((name) => id.startsWith(`${name}-`)), {
    error: 'neither begins with "x_" nor is an id of a database that OSV knows',
  });
const OtherId = z.string().refine(isOsvId, { error: 'not an id' });
const Time = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?Z$/, { error: 'not a time in UTC' })
  .refine((text) => tryParseTime(text) !== undefined, { error: 'not a time' });
const Version = z.string().refine(isVersion, { error: 'not a semver version' });

const Event = z
  .strictObject({
    introduced: z.union([z.literal(BEGINNING), Version]).optional(),
    fixed: Version.optional(),
    last_affected: Version.optional(),
  })
  .refine((event) => Object.keys(event).length === 1, {
    error: 'has one of "introduced", "fixed" and "last_affected"',
  });

const Range = z
  .strictObject({
    type: z.literal('SEMVER', { error: 'must be "SEMVER"' }),
    events: z.array(Event).min(1).max(100),
  })
  .superRefine(({ events }, context) => {
    const problem = eventsProblem(events);
    if (problem !== undefined) {
      context.addIssue({ code: 'custom', path: ['events'], message: problem });
    }
  });

const Affected = z
  .strictObject({
    database_specific: z.strictObject({
      build: z.string().refine(isBuildId, { error: 'not a build id' }),
    }),
    ranges: z.array(Range).max(20).optional(),
    versions: z.array(Version).max(1000).optional(),
  })
  .refine(({ ranges = [], versions = [] }) => ranges.length + versions.length > 0, {
    error: 'needs "ranges" or "versions"',
  });

const V3_BASE =
  /^CVSS:3\.[01]\/AV:[NALP]\/AC:[LH]\/PR:[NLH]\/UI:[NR]\/S:[UC]\/C:[NLH]\/I:[NLH]\/A:[NLH]$/;
const V4_BASE =
  /^CVSS:4\.0\/AV:[NALP]\/AC:[LH]\/AT:[NP]\/PR:[NLH]\/UI:[NPA]\/VC:[HLN]\/VI:[HLN]\/VA:[HLN]\/SC:[HLN]\/SI:[HLN]\/SA:[HLN]$/;

const Severity = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('CVSS_V3'), score: z.string().regex(V3_BASE) }),
  z.strictObject({ type: z.literal('CVSS_V4'), score: z.string().regex(V4_BASE) }),
]);

const REFERENCE_TYPES = [
  'ADVISORY',
  'ARTICLE',
  'DETECTION',
  'DISCUSSION',
  'REPORT',
  'FIX',
  'INTRODUCED',
  'PACKAGE',
  'EVIDENCE',
  'WEB',
] as const;

const CREDIT_TYPES = [
  'FINDER',
  'REPORTER',
  'ANALYST',
  'COORDINATOR',
  'REMEDIATION_DEVELOPER',
  'REMEDIATION_REVIEWER',
  'REMEDIATION_VERIFIER',
  'TOOL',
  'SPONSOR',
  'OTHER',
] as const;

export const Advisory = z
  .strictObject({
    schema_version: z.string().regex(/^1\.\d{1,3}\.\d{1,3}$/),
    id: Id.describe('The name of the file; it never changes.'),
    modified: Time.describe('Later with each change of the file.'),
    published: Time.optional(),
    withdrawn: Time.optional().describe('Since then the advisory does not count.'),
    aliases: z.array(OtherId).max(50).optional().describe('Ids in other databases, such as CVE.'),
    related: z.array(OtherId).max(50).optional(),
    summary: z.string().min(1).max(300).describe('One line of text.'),
    details: z.string().max(20_000).optional().describe('Markdown.'),
    severity: z.array(Severity).max(5).optional(),
    affected: z.array(Affected).min(1).max(50),
    references: z
      .array(
        z.strictObject({
          type: z.enum(REFERENCE_TYPES),
          url: z.url({ protocol: /^https?$/ }).max(500),
        }),
      )
      .max(50)
      .optional(),
    credits: z
      .array(
        z.strictObject({
          name: z.string().min(1).max(100),
          contact: z.array(z.string().max(200)).max(5).optional(),
          type: z.enum(CREDIT_TYPES).optional(),
        }),
      )
      .max(50)
      .optional(),
    database_specific: z
      .strictObject({
        filer: NumberedAccount.describe(
          'Who filed it: others reduce it with an admin only. Without, it belongs to the owner of the builds.',
        ),
      })
      .optional(),
  })
  .superRefine(({ id, published, modified, aliases = [], related = [] }, context) => {
    const refuse = (path: string, message: string): void => {
      context.addIssue({ code: 'custom', path: [path], message });
    };
    if (aliases.includes(id)) refuse('aliases', `names "${id}" itself`);
    if (related.includes(id)) refuse('related', `names "${id}" itself`);
    if (published !== undefined && isLater(published, modified)) {
      refuse('published', 'is later than "modified"');
    }
  })
  .meta({ title: 'Stackyard advisory' });
export type Advisory = z.infer<typeof Advisory>;

/** The builds that an advisory is about, sorted, each once. */
export function buildsOf({ affected }: Pick<Advisory, 'affected'>): string[] {
  return [...new Set(affected.map((one) => one.database_specific.build))].sort();
}

type Events = readonly z.infer<typeof Event>[];

/** What is wrong with the order of events: each span begins with "introduced" and ends, if it does, higher. */
function eventsProblem(events: Events): string | undefined {
  if (events.some(({ fixed }) => fixed) && events.some((event) => event.last_affected)) {
    return 'have both "fixed" and "last_affected"';
  }
  let before: Events[number] | undefined;
  for (const event of events) {
    const isStart = event.introduced !== undefined;
    const wasStart = before?.introduced !== undefined;
    if (isStart === wasStart) return 'must be "introduced" and an end in turn';
    if (before !== undefined && !isHigher(before, event))
      return 'must go from low to high versions';
    before = event;
  }
  return undefined;
}

function isHigher(before: Events[number], event: Events[number]): boolean {
  const [from, to] = [before, event].map((e) => e.introduced ?? e.fixed ?? e.last_affected ?? '');
  if (to === BEGINNING || from === undefined || to === undefined) return false;
  if (from === BEGINNING) return true;
  // The last affected version may be the only one.
  if (hasSamePrecedence(from, to)) return event.last_affected !== undefined;
  return compareVersions(from, to) < 0;
}

/** Milliseconds since 1970, or `undefined` for what is no such time. */
export function tryParseTime(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?Z$/.test(text)) return undefined;
  // oxlint-disable-next-line no-restricted-globals -- reads no clock
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}

/** Whether time `a` is later than `b`; both are times. */
export function isLater(a: string, b: string): boolean {
  return (tryParseTime(a) ?? 0) > (tryParseTime(b) ?? 0);
}

/** `/advisories/all.json`: every advisory of a registry in a few fields. */
export const AdvisoryList = z
  .object({
    advisories: z
      .array(
        z.object({
          id: z.string(),
          modified: z.string(),
          withdrawn: z.string().optional(),
          summary: z.string(),
          builds: z.array(z.string().refine(isBuildId, { error: 'not a build id' })).min(1),
        }),
      )
      .describe('Sorted by id; withdrawn ones stay.'),
  })
  .meta({ title: 'Stackyard list of advisories' });
export type AdvisoryList = z.infer<typeof AdvisoryList>;
