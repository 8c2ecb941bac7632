/**
 * Decides which lines of a log are downloads and counts them: complete, successful reads of a published
 * tarball, by nobody's robot, once for each client, version and day of UTC.
 */
import { hash } from 'node:crypto';
import { clientOf } from './client-address.ts';
import type { IngestState } from './ingest-state.ts';
import type { LogEntry } from './json-log.ts';
import type { PublishedVersion, PublishedVersions } from './published-versions.ts';
import { Sketch } from './sketch.ts';
import { parseIndexPath } from '../../format/index/layout.ts';
import { lowerCase } from '../../format/unicode.ts';

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
/** Memory for sketches, about; beyond it they go to the state. */
const MAX_SKETCH_BYTES = 64_000_000;
/** How many lines go by between two looks at that memory. */
const LINES_PER_LOOK = 8_192;

interface Counted {
  readonly published: PublishedVersion;
  readonly days: Map<number, Sketch>;
}

export class Tally {
  readonly #versions: PublishedVersions;
  readonly #state: IngestState;
  readonly #options: TallyOptions;
  readonly #targets = new Map<string, Counted | Verdict>();
  readonly #counted = new Map<string, Counted>();
  readonly #salts = new Map<number, string | undefined>();
  #looks = 0;
  /** Lines by verdict. */
  readonly verdicts = new Map<Verdict, number>();

  /** @param state within a transaction, which ends after `flush` */
  constructor(versions: PublishedVersions, state: IngestState, options: TallyOptions) {
    this.#versions = versions;
    this.#state = state;
    this.#options = options;
  }

  add(entry: LogEntry): Verdict {
    const verdict = this.#judge(entry);
    this.verdicts.set(verdict, (this.verdicts.get(verdict) ?? 0) + 1);
    this.#look();
    return verdict;
  }

  /** Takes the sketches over into the state and forgets them. */
  flush(): void {
    for (const { published, days } of this.#counted.values()) {
      for (const [day, sketch] of days) {
        this.#state.mergeSketch(day, published.id, published.version, sketch);
      }
    }
    this.#counted.clear();
    this.#targets.clear();
  }

  #judge(entry: LogEntry): Verdict {
    if (entry.method !== 'GET') return 'method';
    if (entry.status !== 200 && entry.status !== 206) return 'status';
    const counted = this.#find(entry.target);
    if (typeof counted === 'string') return counted;
    const { published, days } = counted;
    if (!isComplete(entry, published.size)) return 'partial';
    if (isRobot(entry.agent)) return 'robot';
    const { day } = entry;
    // A day of tolerance on both sides for clocks that differ.
    if (day < published.day - 1 || day > this.#options.today + 1) return 'time';
    const client = clientOf(entry.address);
    if (client === undefined) return 'address';
    const salt = this.#saltOf(day);
    if (salt === undefined) return 'closed';
    let sketch = days.get(day);
    if (sketch === undefined) days.set(day, (sketch = new Sketch()));
    sketch.add(hash32(`${salt} ${published.id}@${published.version} ${client}`));
    return 'download';
  }

  #find(target: string): Counted | Verdict {
    const known = this.#targets.get(target);
    if (known !== undefined) return known;
    if (this.#targets.size >= MAX_TARGETS) this.#targets.clear();
    const found = this.#lookUp(target);
    this.#targets.set(target, found);
    return found;
  }

  #lookUp(target: string): Counted | Verdict {
    const parsed = parseTarballTarget(target, this.#options.base);
    if (parsed === undefined) return 'no-tarball';
    const key = `${parsed.id}@${parsed.version}`;
    const known = this.#counted.get(key);
    if (known !== undefined) return known;
    const published = this.#versions.find(parsed.id, parsed.version);
    if (published === undefined) return 'unknown';
    const counted = { published, days: new Map<number, Sketch>() };
    this.#counted.set(key, counted);
    return counted;
  }

  #saltOf(day: number): string | undefined {
    if (!this.#salts.has(day)) {
      const salt = this.#state.saltOf(day, this.#options.today);
      this.#salts.set(day, salt?.toString('hex'));
    }
    return this.#salts.get(day);
  }

  /** Keeps memory bounded, whatever the log holds. */
  #look(): void {
    this.#looks += 1;
    if (this.#looks % LINES_PER_LOOK !== 0) return;
    let bytes = 0;
    for (const { days } of this.#counted.values()) {
      bytes += 400;
      for (const sketch of days.values()) bytes += sketch.weight;
    }
    if (bytes > MAX_SKETCH_BYTES) this.flush();
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

/** The first 32 bits of a SHA-256 that begins with a secret salt. */
function hash32(text: string): number {
  return Number.parseInt(hash('sha256', text, 'hex').slice(0, 8), 16) | 0;
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
  const decoded = tryDecode(path.slice(base.length + 1));
  const parsed = decoded === undefined ? undefined : parseIndexPath(decoded);
  return parsed?.kind === 'tarball' ? { id: parsed.id, version: parsed.version } : undefined;
}

function tryDecode(path: string): string | undefined {
  if (!path.includes('%')) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

// Which user agents are robots: crawlers, link previews and monitors, which fetch without a user who wants
// to use a build. Package managers, `curl`, CI and agents are not: they install. The words are those by
// which the operators name their programs; `docs/signals.md` lists their sources.

/** Words inside other words count too, except `bot`, which must end one (as `Googlebot/2.1` does). */
const WORDS: readonly string[] = [
  'ahrefs',
  'amazon-kendra',
  'archive.org',
  'archiver',
  'ia_archiver',
  'baiduspider',
  'bingpreview',
  'bytespider',
  'checkhost',
  'crawl',
  'datadogsynthetics',
  'embedly',
  'externalhit',
  'facebookcatalog',
  'feedfetcher',
  'feedly',
  'google-extended',
  'google-read-aloud',
  'google-site-verification',
  'googleother',
  'headlesschrome',
  'heritrix',
  'httrack',
  'inspectiontool',
  'lighthouse',
  'mediapartners-google',
  'meta-externalagent',
  'monitor',
  'newrelicpinger',
  'nuclei',
  'nutch',
  'pingdom',
  'phantomjs',
  'prerender',
  'preview',
  'scrapy',
  'slurp',
  'site24x7',
  'spider',
  'statuscake',
  'uptime',
  'validator',
  'virustotal',
  'whatsapp',
  'yandeximages',
  'zgrab',
  'censys',
  'masscan',
  'nmap',
  'expanse',
];

/** Cubot makes telephones. */
const BOT: RegExp = /(?<!cu)bot(?![a-z])/i;

/** Agents that were looked at; a log repeats few of them. */
const MAX_KNOWN_AGENTS = 10_000;
const known = new Map<string, boolean>();

/** Whether `agent` names a robot; a missing user agent does not. */
export function isRobot(agent: string): boolean {
  const before = known.get(agent);
  if (before !== undefined) return before;
  // Hostile logs name a new one in each line: the memory is emptied, not left to grow.
  if (known.size >= MAX_KNOWN_AGENTS) known.clear();
  const lower = lowerCase(agent);
  const answer = BOT.test(agent) || WORDS.some((word) => lower.includes(word));
  known.set(agent, answer);
  return answer;
}
