/** `ingest downloads`: access logs in, download counts in `signals/` out. Each log counts whole or not at all. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { formatDay } from '../../format/statement/day.ts';
import { StackyardError } from '../../format/errors.ts';
import {
  SIGNALS_FOLDER,
  signalsFileAt,
  signalsPath,
  type Layout,
} from '../../format/registry/repository-layout.ts';
import { mergeSignals, Signals, NO_SIGNALS } from '../../format/registry/signals.ts';
import type { IngestState } from './ingest-state.ts';
import { readLogFile, LogLines } from './log-lines.ts';
import type { PublishedVersions } from './published-versions.ts';
import { Tally, type TallyOptions, type Verdict } from './tally.ts';
import {
  tryParseJsonLine,
  BRACKETED_LENGTH,
  digits,
  tryParseBracketed,
  type LogEntry,
} from './json-log.ts';
import { canonicalJson } from '../../format/document/canonical-json.ts';
import { parseDocument } from '../../format/document/document.ts';
import { layoutOf } from '../config.ts';
import { GeneratorError } from '../errors.ts';
import { writeWhole } from '../write-whole.ts';

interface DownloadsOptions extends TallyOptions {
  readonly logs: readonly string[];
  /** Top folder of the registry's working tree. */
  readonly repo: string;
  /** Name of this collector: its counts are separate from those of others. */
  readonly source: string;
  /** A day is closed this many days after it ended and after it was first seen. */
  readonly keepDays: number;
}

interface LogReport {
  readonly log: string;
  readonly lines: number;
  /** Lines about tarballs in a form that is not known. */
  readonly malformed: number;
  /** The first of them, counted from 1; 0 without one. */
  readonly malformedAt: number;
  readonly tooLong: number;
  readonly verdicts: Readonly<Partial<Record<Verdict, number>>>;
}

interface DownloadsReport {
  readonly logs: readonly LogReport[];
  /** Logs of which nothing was counted. */
  readonly problems: readonly StackyardError[];
  /** Builds whose signals changed. */
  readonly changed: readonly string[];
  readonly closedDays: number;
}

/** Counts the downloads of logs and writes the signals that changed. */
export async function ingestDownloads(
  options: DownloadsOptions,
  versions: PublishedVersions,
  state: IngestState,
): Promise<DownloadsReport> {
  const logs: LogReport[] = [];
  const problems: StackyardError[] = [];
  for (const log of options.logs) {
    state.begin();
    try {
      logs.push(await countLog(log, options, versions, state));
      state.commit();
    } catch (error) {
      state.rollback();
      if (!(error instanceof StackyardError)) throw error;
      problems.push(error);
    }
  }
  state.begin();
  const closedDays = state.closeDays(options.today, options.keepDays);
  state.commit();
  const changed = writeCounts(options, state, problems);
  return { logs, problems, changed, closedDays };
}

async function countLog(
  log: string,
  options: TallyOptions,
  versions: PublishedVersions,
  state: IngestState,
): Promise<LogReport> {
  const tally = new Tally(versions, state, options);
  let [malformed, malformedAt] = [0, 0];
  const lines = new LogLines((line) => {
    const entry = tryParseLine(line);
    if (entry !== undefined) tally.add(entry);
    else {
      malformed += 1;
      malformedAt ||= lines.lines;
    }
  });
  for await (const chunk of readLogFile(log)) lines.push(chunk);
  lines.end();
  const verdicts = Object.fromEntries(tally.verdicts);
  return { log, lines: lines.lines, malformed, malformedAt, tooLong: lines.tooLong, verdicts };
}

/**
 * Writes the counts that are newer than their files; what a run that was stopped had counted but not
 * written is written by the next.
 */
function writeCounts(
  { repo, source }: DownloadsOptions,
  state: IngestState,
  problems: StackyardError[],
): string[] {
  const changed: string[] = [];
  const written: string[] = [];
  const files = new SignalsFiles(repo);
  for (const id of state.unwritten()) {
    try {
      if (files.write(id, countedSignals(files.read(id), id, source, state))) {
        changed.push(id);
      }
      written.push(id);
    } catch (error) {
      if (!(error instanceof StackyardError)) throw error;
      problems.push(error);
    }
  }
  state.begin();
  for (const id of written) state.setWritten(id);
  state.commit();
  return changed;
}

function countedSignals(before: Signals, id: string, source: string, state: IngestState): Signals {
  const { months, newest } = state.countedMonths(id);
  const downloads = Object.values(months)
    .flatMap((versions) => Object.values(versions))
    .reduce((sum, count) => sum + count, 0);
  const updated_at = `${formatDay(newest)}T00:00:00.000Z`;
  const counted = { ...before, downloads, earlier: 0, months: { [source]: months }, updated_at };
  return mergeSignals(before, counted);
}

/** Reads a line, by the form that its beginning shows; `undefined` for a line that is no request in a known form. */
export function tryParseLine(line: string): LogEntry | undefined {
  return line.startsWith('{') ? tryParseJsonLine(line) : tryParseCommonLine(line);
}

/**
 * Lines of the common and combined log formats:
 *
 *     192.0.2.7 - - [21/Nov/2026:09:30:00 +0100] "GET /builds/a/b/1.0.0.tgz HTTP/1.1" 200 4096 "-" "curl/8"
 *
 * Read by position, without regular expressions, since logs are large. Everything between the quotes, and
 * the user name before them, comes from the client that makes the request: a quote or newline in it is escaped
 * by the server, so the first bare quote begins the request line, and the text before it is the time.
 */
const QUOTE = 0x22;
const SPACE = 0x20;
const BACKSLASH = 0x5c;

/** Reads a line without its newline; `undefined` for a line that is no request in these formats. */
export function tryParseCommonLine(line: string): LogEntry | undefined {
  const quote = line.indexOf('"');
  const open = quote - 1 - BRACKETED_LENGTH;
  if (open < 2 || line.charCodeAt(quote - 1) !== SPACE) return undefined;
  const day = tryParseBracketed(line, open);
  if (day === undefined) return undefined;
  const close = closingQuote(line, quote + 1);
  if (close < 0 || line.charCodeAt(close + 1) !== SPACE) return undefined;
  const method = line.indexOf(' ', quote);
  const target = line.lastIndexOf(' ', close);
  if (method < 0 || target <= method || !line.startsWith('HTTP/', target + 1)) return undefined;
  const status = digits(line, close + 2, close + 5);
  let at = close + 5;
  if (status < 100 || line.charCodeAt(at) !== SPACE) return undefined;
  at += 1;
  const end = wordEnd(line, at);
  const isUnknown = end === at + 1 && line.charCodeAt(at) === 0x2d;
  const bytes = isUnknown ? -1 : digits(line, at, end);
  if (bytes < 0 && !isUnknown) return undefined;
  return {
    day,
    address: line.slice(0, line.indexOf(' ')),
    method: line.slice(quote + 1, method),
    target: line.slice(method + 1, target),
    status,
    bytes,
    agent: agentAfter(line, end),
  };
}

/** The first quote from `at` on that no backslash escapes; -1 without one. */
function closingQuote(line: string, at: number): number {
  for (let end = line.indexOf('"', at); end >= 0; end = line.indexOf('"', end + 1)) {
    let slashes = 0;
    while (end - 1 - slashes >= at && line.charCodeAt(end - 1 - slashes) === BACKSLASH)
      slashes += 1;
    if (slashes % 2 === 0) return end;
  }
  return -1;
}

function wordEnd(line: string, at: number): number {
  const end = line.indexOf(' ', at);
  return end < 0 ? line.length : end;
}

/** The second quoted text behind the bytes; `""` in the common format. */
function agentAfter(line: string, at: number): string {
  if (line.charCodeAt(at + 1) !== QUOTE) return '';
  const referer = closingQuote(line, at + 2);
  if (referer < 0 || line.charCodeAt(referer + 2) !== QUOTE) return '';
  const end = closingQuote(line, referer + 3);
  return end < 0 ? '' : line.slice(referer + 3, end);
}

/** The files below `signals/` in a registry's working tree, each replaced as a whole. */
export class SignalsFiles {
  readonly #repo: string;
  readonly #layout: Layout;

  /** @param repo top folder of the working tree */
  constructor(repo: string) {
    [this.#repo, this.#layout] = [repo, layoutOf(repo)];
  }

  /**
   * The signals of a build; none when there is no file.
   * @throws {GeneratorError} `ERR_SIGNALS` for a file that is no signals file
   */
  read(id: string): Signals {
    const path = this.#pathOf(id);
    const file = join(this.#repo, path);
    if (!existsSync(file)) return NO_SIGNALS;
    try {
      return parseDocument(Signals, readFileSync(file), `"${path}"`);
    } catch (cause) {
      if (!(cause instanceof StackyardError)) throw cause;
      throw new GeneratorError('ERR_SIGNALS', cause.message, {
        cause,
        hint: `restore the file: git checkout -- ${path}`,
      });
    }
  }

  /** Writes the signals of a build if they differ from the file; answers whether they did. */
  write(id: string, signals: Signals): boolean {
    const text = canonicalJson(signals);
    const file = join(this.#repo, this.#pathOf(id));
    if (existsSync(file) && readFileSync(file, 'utf8') === text) return false;
    writeWhole(file, text);
    return true;
  }

  /** Ids of the builds that have a file, sorted. */
  ids(): string[] {
    const { root } = this.#layout;
    const room = `${root}${SIGNALS_FOLDER}`;
    const folder = join(this.#repo, room);
    if (!existsSync(folder)) return [];
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .flatMap((name) => {
        const file = signalsFileAt(`${room}/${name.replaceAll('\\', '/')}`, root);
        return file?.kind === 'signals' ? [file.id] : [];
      })
      .sort();
  }

  #pathOf(id: string): string {
    return signalsPath(id, 'signals', this.#layout);
  }
}
