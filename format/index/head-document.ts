/**
 * The written form of a head, from which a client resolves a build. The newest versions are in it; each full chunk of
 * older ones is a document of its own, which a publication does not change.
 */
import { z } from 'zod';
import { sha256Hex } from '../archive/integrity.ts';
import { isBuildId } from '../build/build-id.ts';
import { canonicalJson } from '../document/canonical-json.ts';
import { compareVersions } from '../version/semver-range.ts';
import { isVersion } from '../version/version.ts';
import { type HeadRows, rowsOf, secondsOf, statesOf, versionsOf } from './head.ts';
import { type Head, Integrity, VersionNeeds, VersionState } from './record.ts';

/** Versions of a chunk. */
const CHUNK = 64;
const MAX_CHUNKS = 1_000;
/** The end of the year 9999. */
const MAX_SECONDS = 253_402_300_799;

const Id = z.string().refine(isBuildId, { error: 'not a build id' });
const Digest = z
  .string()
  .regex(/^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]$/)
  .describe('SHA-256 in base64 without padding.');

const ROWS = {
  needs: z.array(VersionNeeds).describe('Each that occurs, once.'),
  versions: z
    .array(
      z.tuple([
        z.string().refine(isVersion, { error: 'not a semver version' }),
        Digest,
        Digest,
        z.int().min(0).max(MAX_SECONDS),
        z.int().min(0),
      ]),
    )
    .min(1)
    .describe(
      'Version, digests of its tarball and its document, seconds since 1970 of its publication, place of its needs; in order of publication.',
    ),
};

const MISSING_NEEDS = { path: ['versions'], error: 'a version names needs that are not there' };

function hasNeeds({ needs, versions }: HeadRows): boolean {
  return versions.every(([, , , , place]) => place < needs.length);
}

/** The schema of the documents under `older` of a head. */
export const HeadChunk = z
  .object(ROWS)
  .refine(hasNeeds, MISSING_NEEDS)
  .meta({ title: 'Stackyard older versions' });
export type HeadChunk = z.infer<typeof HeadChunk>;

/** The schema of `/heads/<owner>/<name>.json`. */
export const HeadDocument = z
  .object({
    id: Id,
    kind: z.enum(['module', 'foundation']).describe('The kind of the latest version.'),
    latest: z.string(),
    deprecated: z
      .object({ reason: z.string(), replacement: z.string().optional() })
      .optional()
      .describe('Present when the owner advises against new installs.'),
    moved: z
      .object({ to: Id, since: z.string() })
      .optional()
      .describe('The id under which the build goes on, and the day since when.'),
    documents: z
      .object({
        record: Integrity,
        compatibility: Integrity.optional(),
        waivers: Integrity.optional(),
      })
      .describe('Digests of the other documents about the build.'),
    ...ROWS,
    states: z
      .array(VersionState.extend({ versions: z.array(z.string()).min(1) }))
      .describe('What is known now of versions, also of older ones.'),
    older: z
      .array(z.string().regex(/^[0-9a-f]{64}$/))
      .max(MAX_CHUNKS)
      .optional()
      .describe('SHA-256 of the documents that have the versions before these, oldest first.'),
  })
  .refine(hasNeeds, MISSING_NEEDS)
  .meta({ title: 'Stackyard head' });
export type HeadDocument = z.infer<typeof HeadDocument>;

/**
 * Writes a head.
 * @returns its text, and those of the documents that it names under `older`
 * @throws {RangeError} for a version without a document
 */
export function formatHead(head: Head): { readonly text: string; readonly older: string[] } {
  const { versions, ...build } = head;
  const published = versions.toSorted(
    (a, b) => secondsOf(a) - secondsOf(b) || compareVersions(a.version, b.version),
  );
  const full = Math.floor((published.length - 1) / CHUNK);
  const older = Array.from({ length: full }, (_, at) =>
    canonicalJson(rowsOf(published.slice(at * CHUNK, (at + 1) * CHUNK))),
  );
  const digests = older.map((text) => sha256Hex(new TextEncoder().encode(text)));
  const text = canonicalJson({
    ...build,
    ...rowsOf(published.slice(full * CHUNK)),
    states: statesOf(versions),
    ...(full === 0 ? {} : { older: digests }),
  });
  return { text, older };
}

/** A head from its document and those that it names under `older`. */
export function expandHead(document: HeadDocument, older: readonly HeadChunk[]): Head {
  const { needs, versions, states, older: _, ...build } = document;
  const listed = versionsOf([...older, { needs, versions }], states);
  return { ...build, versions: listed.sort((a, b) => compareVersions(b.version, a.version)) };
}
