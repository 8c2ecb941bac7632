/**
 * What a project declares of its stack: the tags of one package.json, pyproject.toml or requirements.txt with the lowest versions
 * that they permit. The files may have any content.
 */
import semver from 'semver';
import { field } from '../document/canonical-json.ts';
import { admits } from '../version/tag-version.ts';
import { isRange, lowestVersion } from '../version/semver-range.ts';
import { type FoundPip, lowestPipVersion } from './requirement.ts';

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
