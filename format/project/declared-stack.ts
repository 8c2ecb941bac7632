/**
 * What a project declares of its stack: the tags of one package.json, pyproject.toml or requirements.txt with the lowest versions
 * that they permit. The files may have any content.
 */
import { admits } from '../version/admits.ts';
import { isRange, lowestVersion } from '../version/semver-range.ts';
import type { FoundPip } from './requirement.ts';
import { lowestPipVersion } from './requirement.ts';

/** What a project has for a stack tag, and where that was read. */
export interface StackFact {
  /** `undefined`: present at an unknown version, which satisfies only `*`. */
  readonly version: string | undefined;
  readonly source: string;
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
      if (!facts.has(name)) facts.set(name, declaredFact(range, table));
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

/** Whether the facts have a tag in `range`. An unknown version is in no range except `*`: the empty text is not a version. */
export function isIn(facts: ReadonlyMap<string, StackFact>, tag: string, range: string): boolean {
  const fact = facts.get(tag);
  return fact !== undefined && admits(fact.version ?? '', range);
}

/** The own property `name` of `value`; `undefined` if `value` is not an object or does not have it. */
export function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return Reflect.get(value, name);
}
