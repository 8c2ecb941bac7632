/**
 * Requirements of Python distributions (PEP 508) in the files of a project, and the versions that they declare in the form of
 * semver, which stack ranges use. The files may have any content.
 */
import semver from 'semver';
import { validRange } from '@renovatebot/pep440';
import { field } from '../document/canonical-json.ts';
import { MAX_SPECIFIER_LENGTH, PIP_NAME_PATTERN, normalizePipName } from '../version/pep440.ts';
import { admits } from '../version/tag-version.ts';
import { isRange, lowestVersion } from '../version/semver-range.ts';

/** The requirement of a file for one distribution. */
export interface FoundPip {
  readonly extras: readonly string[];
  /** `*` for any version; any other text that is not a specifier is not compared. */
  readonly specifier: string;
  /** Whether it is installed only under a condition, or from an address. */
  readonly isSpecial: boolean;
}

/** A requirement with a name; `undefined` for a path, an address, an option and the like. */
export function tryParseRequirement(
  text: string,
): { readonly key: string; readonly found: FoundPip } | undefined {
  const match = /^\s*([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[([^\]]*)\])?\s*(.*)$/s.exec(text);
  const [, name = '', extras = '', rest = ''] = match ?? [];
  const specifier = rest.trim();
  if (!PIP_NAME_PATTERN.test(name) || !/^(?:$|[<>=!~(;@]|--)/.test(specifier)) return undefined;
  return {
    key: normalizePipName(name),
    found: {
      extras: splitExtras(extras),
      specifier: specifier === '' ? '*' : specifier,
      isSpecial: specifier !== '' && !isSpecifier(specifier),
    },
  };
}

/** Whether `text` is a specifier that can be compared. */
export function isSpecifier(text: string): boolean {
  return text.length <= MAX_SPECIFIER_LENGTH && text.trim() !== '' && validRange(text);
}

/** Extras in brackets, lower case and sorted. */
export function splitExtras(text: string): string[] {
  const extras = text.split(',').map((extra) => extra.trim().toLowerCase());
  return Array.from(new Set(extras.filter((extra) => extra !== ''))).toSorted();
}

/** The distributions of a requirements file, by normalised name. */
export function readRequirements(text: string): Map<string, FoundPip> {
  return readFound(logicalLines(text.replace(/^\uFEFF/, '')));
}

interface LogicalLine {
  /** Without its comment; continued lines are joined. */
  readonly text: string;
  readonly line: number;
  /** Whether it ends with a backslash, so that the next line would continue it. */
  readonly isOpen: boolean;
}

/** Lines as pip joins them: a backslash at the end continues a line, but not after a comment. */
export function logicalLines(body: string): LogicalLine[] {
  const lines: LogicalLine[] = [];
  let open: { text: string; line: number } | undefined;
  for (const [index, raw] of body.split(/\r?\n/).entries()) {
    const isOpen = goesOn(raw);
    const text = (open?.text ?? '') + (isOpen ? raw.slice(0, -1) : raw);
    const line = open?.line ?? index + 1;
    if (isOpen) {
      open = { text, line };
      continue;
    }
    lines.push({ text: withoutComment(text), line, isOpen: open !== undefined && raw === '' });
    open = undefined;
  }
  if (open !== undefined) lines.push({ ...open, text: withoutComment(open.text), isOpen: true });
  return lines;
}

export function goesOn(line: string): boolean {
  return line.endsWith('\\') && !/^\s*#/.test(line);
}

function withoutComment(line: string): string {
  return line.replace(/(?:^|\s+)#.*$/, '');
}

export function readFound(lines: readonly LogicalLine[]): Map<string, FoundPip> {
  const found = new Map<string, FoundPip>();
  for (const { text } of lines) {
    const requirement = tryParseRequirement(text);
    if (requirement === undefined) continue;
    // Several lines for one distribution have different conditions.
    const isSecond = found.has(requirement.key);
    found.set(requirement.key, {
      ...requirement.found,
      isSpecial: isSecond || requirement.found.isSpecial,
    });
  }
  return found;
}

/** A Python version in the form of semver: `3.12` is `3.12.0`, `2.0rc1` is `2.0.0`. */
export function toSemver(version: string): string | undefined {
  const release = /^\s*v?(?:\d+!)?(\d+(?:\.\d+)*)/.exec(version)?.[1];
  return semver.coerce(release ?? '')?.version;
}

/** The highest lower bound of a specifier; `0.0.0` without one. */
export function lowestPipVersion(specifier: string): string {
  const bounds = [...specifier.matchAll(/(?:^|[^<!>=~])(?:===?|>=|~=|>|\^|~)\s*(\d[^\s,;]*)/g)];
  const versions = bounds.flatMap((bound) => toSemver(bound[1] ?? '') ?? []);
  return versions.sort(semver.compare).at(-1) ?? '0.0.0';
}

// What a project declares of its stack: the tags of one package.json, pyproject.toml or requirements.txt with the lowest versions
// that they permit. The files may have any content.

/** What a project has for a stack tag, and where that was read. */
export interface StackFact {
  /** `undefined`: present at an unknown version, which satisfies only `*`. */
  readonly version: string | undefined;
  readonly source: string;
  /** The range in package.json, where that declares it. */
  readonly range?: string;
  /** Whether `version` is only the lowest of the range: nothing is installed or locked. */
  readonly isLowest?: boolean;
  /** The lowest version that the project's own range admits, where `version` is the one in use. */
  readonly lowest?: { readonly version: string; readonly source: string };
  /** Whether only development uses it, so that it is no stack of the project. */
  readonly isDevelopment?: boolean;
}

/**
 * Server frameworks: an application needs them where it runs. In `devDependencies`, beside packages that it runs with, one serves something
 * else, such as the mock server of a front end. Compilers, types and test tools count from any table, and so does everything of a
 * bundled project, which has `devDependencies` alone.
 */
const SERVER_FRAMEWORKS: readonly string[] =
  'express hono fastify koa restify polka connect h3 elysia @nestjs/core @hapi/hapi @adonisjs/core'.split(
    ' ',
  );

/** Whether `name` is declared in `table` of `manifest` for something else than the application. */
export function isForDevelopmentOnly(manifest: unknown, table: string, name: string): boolean {
  if (table !== 'devDependencies' || !SERVER_FRAMEWORKS.includes(name)) return false;
  const isRun = (other: string): boolean => Object.keys(field(manifest, other) ?? {}).length > 0;
  return isRun('dependencies') && field(field(manifest, 'peerDependencies'), name) === undefined;
}

/** The tables to read, in the order in which npm uses them. */
export const DEPENDENCY_TABLES = [
  'dependencies',
  'optionalDependencies',
  'devDependencies',
  'peerDependencies',
] as const;

export type DependencyTable = (typeof DEPENDENCY_TABLES)[number];

/** A tag, an address and the like have no version to compare. */
export function declaredFact(range: unknown, source: string): StackFact {
  if (typeof range !== 'string' || !isRange(range)) return { version: undefined, source };
  return { version: lowestVersion(range), source: `${source}: ${range}` };
}

/** Facts about the packages of a package.json, and the lowest Node.js of its "engines". */
export function packageJsonFacts(manifest: unknown): Map<string, StackFact> {
  const facts = new Map<string, StackFact>();
  const node = field(field(manifest, 'engines'), 'node');
  if (typeof node === 'string' && isRange(node)) facts.set('node', declaredFact(node, 'engines'));
  for (const table of DEPENDENCY_TABLES) {
    for (const [name, range] of Object.entries(field(manifest, table) ?? {})) {
      if (facts.has(name)) continue;
      const unused = isForDevelopmentOnly(manifest, table, name) ? { isDevelopment: true } : {};
      facts.set(name, { ...declaredFact(range, table), ...unused });
    }
  }
  return facts;
}

/** Facts about distributions that a file declares, by normalised name. */
export function distributionFacts(
  found: ReadonlyMap<string, FoundPip>,
  source: string,
): Map<string, StackFact> {
  return new Map(
    [...found].map(([name, { specifier }]) => {
      return [name, { version: lowestPipVersion(specifier), source }];
    }),
  );
}

/**
 * Whether the facts have a tag in `range`. An unknown version is in no range except `*`: the empty text is not a version. What is there is
 * compared as it is: 15.4.0-canary.47 is above 14.0.0.
 */
export function isIn(facts: ReadonlyMap<string, StackFact>, tag: string, range: string): boolean {
  const fact = facts.get(tag);
  if (fact === undefined || fact.isDevelopment === true) return false;
  const { version = '' } = fact;
  return admits(version, range) || semver.satisfies(version, range, { includePrerelease: true });
}
