/**
 * Decides which lines of a log are downloads and counts them: complete, successful reads of a published
 * tarball, by nobody's robot, once for each client, version and day of UTC.
 */
import { hash } from 'node:crypto';
import { clientOf } from './client-address.ts';
import type { IngestState } from './ingest-state.ts';
import type { LogEntry } from './json-log.ts';
import type { PublishedVersion, PublishedVersions } from './published-versions.ts';
import { isRobot } from './robots.ts';
import { decoded } from '../site/source-address.ts';
import { parseIndexPath } from '../../format/index/layout.ts';

/** Why a line was not counted, or that it was (again, when it is a repeat). */
export type Verdict =
  | 'download'
  | 'no-tarball'
  | 'method'
  | 'status'
  | 'robot'
  | 'unknown'
  | 'partial'
  | 'address'
  | 'time'
  | 'closed';

export interface TallyOptions {
  /** Path below which the index is served, such as `/registry`; `""` at the root. */
  readonly base: string;
  /** Day of UTC by the clock. */
  readonly today: number;
}

/** What a line may hold beyond the tarball, where headers are counted as sent bytes. */
const MAX_HEADER_BYTES = 16_384;
/** Targets that are remembered; each new one is parsed and looked up. */
const MAX_TARGETS = 50_000;
export class Tally {
  readonly #versions: PublishedVersions;
  readonly #state: IngestState;
  readonly #options: TallyOptions;
  readonly #targets = new Map<string, PublishedVersion | Verdict>();
  readonly #salts = new Map<number, string | undefined>();
  /** Lines by verdict. */
  readonly verdicts = new Map<Verdict, number>();

  /** @param state within a transaction */
  constructor(versions: PublishedVersions, state: IngestState, options: TallyOptions) {
    this.#versions = versions;
    this.#state = state;
    this.#options = options;
  }

  add(entry: LogEntry): Verdict {
    const verdict = this.#judge(entry);
    this.verdicts.set(verdict, (this.verdicts.get(verdict) ?? 0) + 1);
    return verdict;
  }

  #judge(entry: LogEntry): Verdict {
    if (entry.method !== 'GET') return 'method';
    if (entry.status !== 200 && entry.status !== 206) return 'status';
    const published = this.#find(entry.target);
    if (typeof published === 'string') return published;
    if (!isComplete(entry, published.size)) return 'partial';
    if (isRobot(entry.agent)) return 'robot';
    const { day } = entry;
    // A day of tolerance on both sides for clocks that differ.
    if (day < published.day - 1 || day > this.#options.today + 1) return 'time';
    const client = clientOf(entry.address);
    if (client === undefined) return 'address';
    const salt = this.#saltOf(day);
    if (salt === undefined) return 'closed';
    const { id, version } = published;
    this.#state.count(day, id, version, clientHash(`${salt} ${id}@${version} ${client}`));
    return 'download';
  }

  #find(target: string): PublishedVersion | Verdict {
    const known = this.#targets.get(target);
    if (known !== undefined) return known;
    if (this.#targets.size >= MAX_TARGETS) this.#targets.clear();
    const found = this.#lookUp(target);
    this.#targets.set(target, found);
    return found;
  }

  #lookUp(target: string): PublishedVersion | Verdict {
    const parsed = parseTarballTarget(target, this.#options.base);
    if (parsed === undefined) return 'no-tarball';
    return this.#versions.find(parsed.id, parsed.version) ?? 'unknown';
  }

  #saltOf(day: number): string | undefined {
    if (!this.#salts.has(day)) {
      const salt = this.#state.saltOf(day, this.#options.today);
      this.#salts.set(day, salt?.toString('hex'));
    }
    return this.#salts.get(day);
  }
}

/**
 * Whether the whole tarball was sent: with 200, unless fewer bytes are logged; with 206 only if as many
 * bytes are, so that pieces do not count and a range over everything does.
 */
function isComplete({ status, bytes }: LogEntry, size: number): boolean {
  if (status === 200) return bytes < 0 || bytes >= size;
  return bytes >= size && bytes <= size + MAX_HEADER_BYTES;
}

/** The first 64 bits of a SHA-256 that begins with a secret salt. */
function clientHash(text: string): Buffer {
  return hash('sha256', text, 'buffer').subarray(0, 8);
}

/** Longer targets are of no tarball: owner 39, name 50, version 128 characters, each encoded in three. */
const MAX_TARGET_LENGTH = 1_000;

/**
 * The version that a logged target downloads, such as `/builds/a/b/1.0.0%2Bb1.tgz?x=1`; `undefined` for
 * another path.
 * @param base the path below which the index is served, such as `/registry`; `""` at the root
 */
export function parseTarballTarget(
  target: string,
  base: string,
): { readonly id: string; readonly version: string } | undefined {
  const query = target.search(/[?#]/);
  let path = query < 0 ? target : target.slice(0, query);
  if (path.length > MAX_TARGET_LENGTH) return undefined;
  path = path.replace(/^https?:\/\/[^/]*/i, '');
  if (!path.startsWith(`${base}/`)) return undefined;
  const parsed = parseIndexPath(decoded(path.slice(base.length + 1)) ?? '');
  return parsed?.kind === 'tarball' ? { id: parsed.id, version: parsed.version } : undefined;
}
