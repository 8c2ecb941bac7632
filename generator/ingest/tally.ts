/**
 * Decides which lines of a log are downloads and counts them: complete, successful reads of a published
 * tarball, by nobody's robot, once for each client, version and day of UTC.
 */
import { hash } from 'node:crypto';
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

/**
 * Which client an address identifies: an IPv4 address, or the /64 network of an IPv6 address, since that
 * is what one household or machine is given and can choose freely within.
 */

/** The longest form: an IPv6 address with a zone and a port. */
const MAX_ADDRESS_LENGTH = 80;
const COLON = 0x3a;
const DOT = 0x2e;
const GROUPS = 8;
const PORT: RegExp = /^\d{1,5}$/;

/**
 * The client of an address, port and zone removed; `undefined` for text that is no IP address.
 * @example
 * clientOf('[2001:db8::1]:443'); // '2001:db8:0:0'
 */
export function clientOf(address: string): string | undefined {
  const colon = address.indexOf(':');
  if (colon < 0) return isIpv4(address) ? address : undefined;
  if (address.length > MAX_ADDRESS_LENGTH) return undefined;
  if (colon === address.lastIndexOf(':')) {
    const host = address.slice(0, colon);
    return PORT.test(address.slice(colon + 1)) && isIpv4(host) ? host : undefined;
  }
  return networkOf(withoutPort(address));
}

function isIpv4(text: string): boolean {
  return text.length <= 15 && ipv4End(text, 0) === text.length;
}

/** Where four octets end that begin at `from`; -1 when there are none. */
function ipv4End(text: string, from: number): number {
  let at = from;
  for (let octet = 0; octet < 4; octet += 1) {
    if (octet > 0) {
      if (text.charCodeAt(at) !== DOT) return -1;
      at += 1;
    }
    const start = at;
    let value = 0;
    for (; at < start + 3; at += 1) {
      const digit = text.charCodeAt(at) - 0x30;
      if (!(digit >= 0 && digit <= 9)) break;
      value = value * 10 + digit;
    }
    // A leading zero could mean an octal number.
    const hasLeadingZero = at > start + 1 && text.charCodeAt(start) === 0x30;
    if (at === start || value > 255 || hasLeadingZero) return -1;
  }
  return at;
}

/** Takes the brackets, the port and the zone off. */
function withoutPort(address: string): string {
  let text = address;
  if (text.startsWith('[')) {
    const close = text.indexOf(']');
    const port = text.slice(close + 1);
    if (close < 0 || (port !== '' && !(port.startsWith(':') && PORT.test(port.slice(1)))))
      return '';
    text = text.slice(1, close);
  }
  const zone = text.indexOf('%');
  return zone < 0 ? text : text.slice(0, zone);
}

/** The /64 network of an IPv6 address, or the IPv4 address that is mapped into it (RFC 4291, 2.5.5.2). */
function networkOf(text: string): string | undefined {
  const groups: number[] = [];
  let gap = -1;
  let at = 0;
  if (text.startsWith('::')) {
    gap = 0;
    at = 2;
  }
  while (at < text.length) {
    const [start, group] = [at, groups.length];
    let value = 0;
    for (; at < start + 4; at += 1) {
      const digit = hexDigit(text.charCodeAt(at));
      if (digit < 0) break;
      value = value * 16 + digit;
    }
    if (text.charCodeAt(at) === DOT || (at - start === 4 && text.charCodeAt(at + 1) === DOT)) {
      if (ipv4End(text, start) !== text.length) return undefined;
      const [a = 0, b = 0, c = 0, d = 0] = text.slice(start).split('.').map(Number);
      groups.push(a * 256 + b, c * 256 + d);
      break;
    }
    if (at === start || group === GROUPS) return undefined;
    groups.push(value);
    if (at === text.length) break;
    if (text.charCodeAt(at) !== COLON) return undefined;
    at += 1;
    if (text.charCodeAt(at) === COLON) {
      if (gap >= 0) return undefined;
      gap = groups.length;
      at += 1;
    } else if (at === text.length) return undefined;
  }
  if (gap < 0 ? groups.length !== GROUPS : groups.length >= GROUPS) return undefined;
  while (groups.length < GROUPS) groups.splice(gap, 0, 0);
  return formatNetwork(groups);
}

function formatNetwork(groups: readonly number[]): string {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = groups;
  if ((a | b | c | d | e) === 0 && f === 0xffff) {
    return `${g >> 8}.${g & 255}.${h >> 8}.${h & 255}`;
  }
  return `${a.toString(16)}:${b.toString(16)}:${c.toString(16)}:${d.toString(16)}`;
}

function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = (code | 0x20) - 0x61;
  return letter >= 0 && letter <= 5 ? letter + 10 : -1;
}
