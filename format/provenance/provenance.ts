/**
 * Where a version comes from, in its document: an in-toto statement about its tarball. It has no signature of its own.
 * It is a function of the entry that publishes the version in the log and of the commit that the entry names, so who
 * trusts the log can make it again from what it holds: `checkProvenance`.
 */
import { z } from 'zod';
import { hexOfIntegrity } from '../archive/integrity.ts';
import { canonicalJson } from '../document/canonical-json.ts';
import { decodeBase64, encodeBase64 } from '../log/base64.ts';
import { PublishEntry } from '../log/entry.ts';
import { isCommitWithId, tryParseCommit } from './git-commit.ts';
import { GATE_ADDRESS, MERGED_VERDICTS, tryParseMergeMessage } from './merge-message.ts';

/** A commit with a larger object states nothing about the gate. */
export const MAX_COMMIT_BYTES = 65_536;

const Sha256 = z.strictObject({
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .describe('Lower-case hexadecimal.'),
});

const Gate = z.object({
  pull_request: z.int().positive().describe('Its number at the code host.'),
  verdict: z
    .object({
      result: z.enum(MERGED_VERDICTS),
      digest: Sha256.describe('Of the canonical JSON of the verdict.'),
    })
    .optional()
    .describe('What the gate found. Absent in commits of older gates.'),
  commit: z
    .string()
    .describe(
      'Base64 of the git commit object, which states the other two and has the id of the entry.',
    ),
});

export const Provenance = z.object({
  _type: z.literal('https://in-toto.io/Statement/v1'),
  subject: z
    .array(z.object({ name: z.string().describe('<owner>/<name>@<version>.'), digest: Sha256 }))
    .length(1)
    .describe('The tarball, a resource descriptor of in-toto.'),
  predicateType: z.literal('urn:stackyard:provenance:v1'),
  predicate: z.object({
    entry: PublishEntry.describe('The entry of the log that publishes the version.'),
    index: z.int().nonnegative().describe('Of the entry in the log.'),
    gate: Gate.optional().describe(
      'Who let the version in. Absent where no commit of the gate published it.',
    ),
  }),
});
export type Provenance = z.infer<typeof Provenance>;

/**
 * The provenance of a version.
 * @param commit the object of the commit that the entry names; without it nothing is known about the gate
 */
export function provenanceOf(entry: PublishEntry, index: number, commit?: Uint8Array): Provenance {
  const gate = commit === undefined ? undefined : gateOf(entry, commit);
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: nameOf(entry), digest: digestOf(entry.integrity) }],
    predicateType: 'urn:stackyard:provenance:v1',
    predicate: { entry, index, ...(gate === undefined ? {} : { gate }) },
  };
}

/**
 * Compares a served provenance with the log.
 * @param served by a host that may be hostile
 * @param entry that publishes the version, proved by the log
 * @returns the statement, or what is wrong with it
 */
export function checkProvenance(
  served: Provenance,
  entry: PublishEntry,
  index: number,
): { readonly provenance: Provenance } | { readonly problem: string } {
  const stated = served.predicate.gate?.commit;
  const commit = stated === undefined ? undefined : decodeBase64(stated);
  if (stated !== undefined && (commit === undefined || !isCommitWithId(commit, entry.commit))) {
    return { problem: `its commit object is not commit ${entry.commit}` };
  }
  const own = provenanceOf(entry, index, commit);
  if (canonicalJson(served) === canonicalJson(own)) return { provenance: own };
  return { problem: `it is not what the log has: ${differingField(served, own)} differs` };
}

/** What a commit of the gate states about a version that it publishes. */
function gateOf(entry: PublishEntry, commit: Uint8Array): z.infer<typeof Gate> | undefined {
  const parsed = commit.length > MAX_COMMIT_BYTES ? undefined : tryParseCommit(commit);
  // A pull request that an admin merges without the gate keeps the messages of its own commits.
  if (parsed?.committer !== GATE_ADDRESS || parsed.parents.length !== 2) return undefined;
  const merge = tryParseMergeMessage(parsed.message);
  if (merge === undefined || !merge.published.includes(nameOf(entry))) return undefined;
  const { pullRequest, verdict } = merge;
  return {
    pull_request: pullRequest,
    ...(verdict === undefined
      ? {}
      : { verdict: { result: verdict.result, digest: digestOf(verdict.integrity) } }),
    commit: encodeBase64(commit),
  };
}

function differingField(served: Provenance, own: Provenance): string {
  const parts = (of: Provenance): Record<string, unknown> => ({
    subject: of.subject,
    'predicate.entry': of.predicate.entry,
    'predicate.index': of.predicate.index,
    'predicate.gate': of.predicate.gate ?? null,
  });
  const [one, other] = [parts(served), parts(own)];
  const names = Object.keys(one);
  return names.find((name) => canonicalJson(one[name]) !== canonicalJson(other[name])) ?? 'it';
}

function nameOf({ id, version }: PublishEntry): string {
  return `${id}@${version}`;
}

function digestOf(integrity: string): { sha256: string } {
  return { sha256: hexOfIntegrity(integrity) };
}
