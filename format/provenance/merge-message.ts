/**
 * The message of the commit with which the gate merges a pull request. It keeps what was judged:
 *
 *     Merge pull request #12
 *
 *     Publish alice/web@1.1.0
 *
 *     Gate-Verdict: merge sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=
 */
import { INTEGRITY_PATTERN } from '../archive/integrity.ts';

/** The address of the gate as a committer. */
export const GATE_ADDRESS = 'gate@users.noreply.invalid';

/** How the gate judged a pull request that it merged; `review` means that it waited for an admin or for the configured time. */
export const MERGED_VERDICTS = ['merge', 'review'] as const;

/** What the message keeps. */
interface GateMerge {
  readonly pullRequest: number;
  /** `<owner>/<name>@<version>` of what it publishes. */
  readonly published: readonly string[];
  /** Absent in messages of older gates. */
  readonly verdict?: {
    readonly result: (typeof MERGED_VERDICTS)[number];
    /** Of the canonical JSON of the verdict. */
    readonly integrity: string;
  };
}

export function formatMergeMessage({ pullRequest, published, verdict }: GateMerge): string {
  const lines = published.map((version) => `Publish ${version}`);
  const trailer =
    verdict === undefined ? [] : [`Gate-Verdict: ${verdict.result} ${verdict.integrity}`];
  return [`Merge pull request #${pullRequest}`, ...lines, ...trailer].join('\n\n');
}

/** The inverse of `formatMergeMessage`; `undefined` for any other message. */
export function tryParseMergeMessage(message: string): GateMerge | undefined {
  const [title = '', ...parts] = message.replace(/\n$/, '').split('\n\n');
  const [, number = ''] = /^Merge pull request #([1-9][0-9]{0,14})$/.exec(title) ?? [];
  if (number === '') return undefined;
  const verdict = tryParseVerdict(parts.at(-1) ?? '');
  const lines = verdict === undefined ? parts : parts.slice(0, -1);
  const published = lines.map((line) => /^Publish (\S+)$/.exec(line)?.[1]);
  if (!published.every((version) => version !== undefined)) return undefined;
  return { pullRequest: Number(number), published, ...(verdict === undefined ? {} : { verdict }) };
}

function tryParseVerdict(line: string): GateMerge['verdict'] {
  const [, word = '', integrity = ''] = /^Gate-Verdict: (\w+) (\S+)$/.exec(line) ?? [];
  const result = MERGED_VERDICTS.find((known) => known === word);
  if (result === undefined || !INTEGRITY_PATTERN.test(integrity)) return undefined;
  return { result, integrity };
}
