/** Of `add --dry-run`: why builds fit the project or not, with a minimal conflict. Changes nothing. */
import { InternalError } from '../../format/errors.ts';
import type { Head, HeadVersion } from '../../format/index/record.ts';
import type { Lock } from '../../format/project/lock.ts';
import type { StackFact } from '../../format/project/stack-fact.ts';
import type { Change } from '../plan/plan.ts';
import { nodeInUse } from '../project/stack/node-in-use.ts';
import { readStack } from '../project/stack/read-stack.ts';
import { KnownHeads } from './known-heads.ts';
import { ResolveError } from './solve.ts';
import { withStackHint } from '../search/stack-hint.ts';
import type { Conflict } from '../resolve/conflict.ts';
import { type BuildRequest, formatRequest } from '../resolve/request.ts';
import type { ProjectAsk } from './ask.ts';
import { type Fetching, ruleOnAge } from './fetch-addition.ts';

/** Why builds do not fit. */
export class Misfit extends ResolveError {
  readonly reasons: readonly Reason[];
  /** What the project has of what they require. */
  readonly facts: readonly Fact[];

  constructor(conflict: Conflict, reasons: readonly Reason[], facts: readonly Fact[]) {
    super(conflict);
    this.reasons = reasons;
    this.facts = facts;
  }
}

/** Of these, no smaller set of facts is known. */
const NO_CHOICE: readonly string[] = ['ERR_BUILD_NOT_FOUND', 'ERR_RESOLVE_LIMIT'];

/**
 * The error of a choice of versions, with the smallest set of facts that causes it; any other as it is.
 * @throws {ClientError} those of the registry
 */
export async function explained(
  error: unknown,
  { requests, age: given }: ProjectAsk,
  { project, lock, registry }: Fetching,
): Promise<unknown> {
  if (!(error instanceof ResolveError) || NO_CHOICE.includes(error.code)) return error;
  const locked = new Map(Object.entries(lock?.builds ?? {}));
  const stack = await readStack(project, await nodeInUse(project));
  const { rule: age } = await ruleOnAge(given, lock, registry);
  const known = new KnownHeads(registry, age, locked);
  const resolution = await known.resolve({ requests, locked, stack });
  if (resolution.kind === 'solved') throw new InternalError('The builds fit after all');
  const found = await smallestReason(known, { requests, locked, stack }, age?.why);
  const conflict = await withStackHint(found.conflict ?? resolution, project, registry);
  // A version that exists and is hidden by its age is not "not found".
  const isHidden = found.reasons.some(({ kind }) => kind === 'age');
  const code = isHidden ? 'ERR_RESOLVE' : conflict.code;
  const facts = factsFor(tagsOf(known.heads.values(), requests), stack);
  return new Misfit({ ...conflict, code }, found.reasons, facts);
}

/** What the project has of what the builds of a change require. */
export async function fittingFacts(project: string, { builds }: Change): Promise<readonly Fact[]> {
  const tags = builds.flatMap(({ manifest }) => Object.keys(manifest.stack?.requires ?? {}));
  if (tags.length === 0) return [];
  return factsFor(new Set(tags), await readStack(project, await nodeInUse(project)));
}

interface Fact {
  readonly tag: string;
  readonly version: string | undefined;
  readonly source: string;
}

function tagsOf(heads: Iterable<Head>, requests: readonly { readonly id: string }[]): Set<string> {
  const asked = [...heads].filter(({ id }) => requests.some((request) => request.id === id));
  return new Set(asked.flatMap((h) => h.versions.flatMap(tagsOfVersion)));
}

/** What it requires, and what was measured. */
function tagsOfVersion({ requires, measured = {} }: HeadVersion): string[] {
  return [...new Set([...Object.keys(requires), ...Object.keys(measured)])];
}

/** What the project has of `tags`, and where that was found. */
function factsFor(tags: ReadonlySet<string>, stack: ReadonlyMap<string, StackFact>): Fact[] {
  return [...tags].sort().flatMap((tag) => {
    const fact = stack.get(tag);
    return fact === undefined ? [] : [{ tag, version: fact.version, source: fact.source }];
  });
}

interface Reason {
  readonly kind: 'request' | 'installed' | 'stack' | 'age';
  /** The id of the build, the tag, or the option. */
  readonly name: string;
  readonly text: string;
}

/** How many facts are tried one by one. The others are kept as given and are not reported. */
const MAX_FACTS = 200;

interface Situation {
  readonly requests: readonly BuildRequest[];
  readonly locked: ReadonlyMap<string, Lock['builds'][string]>;
  readonly stack: ReadonlyMap<string, StackFact>;
}

/**
 * The minimal conflict of a resolution that failed, and the conflict that the resolver reports for it alone.
 * @param age the options on age; `undefined` without any
 * @throws {ClientError} those of the registry
 */
async function smallestReason(
  known: KnownHeads,
  { requests, locked, stack }: Situation,
  age: string | undefined,
): Promise<{ readonly reasons: readonly Reason[]; readonly conflict: Conflict | undefined }> {
  const unaged = known.withoutAge();
  const dropped = new Set<string>();
  const isKept = (kind: Reason['kind'], name: string): boolean => !dropped.has(`${kind} ${name}`);
  const facts = factsOf(known, { requests, locked, stack }, age);
  const resolve = async (): Promise<Conflict | undefined> => {
    const isAged = age !== undefined && isKept('age', age);
    const missing = facts.filter(({ kind, name }) => kind === 'stack' && !isKept(kind, name));
    const resolution = await (isAged ? known : unaged).resolve({
      requests: requests.filter(({ id }) => isKept('request', id)),
      locked: new Map([...locked].filter(([id]) => isKept('installed', id))),
      assumed: new Set(missing.map(({ name }) => name)),
      stack,
    });
    return resolution.kind === 'conflict' ? resolution : undefined;
  };
  let conflict = await resolve();
  const reasons: Reason[] = [];
  for (const fact of facts.slice(0, MAX_FACTS)) {
    const key = `${fact.kind} ${fact.name}`;
    dropped.add(key);
    const still = await resolve();
    if (still !== undefined) conflict = still;
    else {
      dropped.delete(key);
      reasons.push(fact);
    }
  }
  return { reasons, conflict };
}

/** Every fact of the project and the request that may cause the failure, the least informative first. */
function factsOf(
  known: KnownHeads,
  { requests, locked, stack }: Situation,
  age: string | undefined,
): Reason[] {
  const tags = new Set(
    [...known.heads.values()].flatMap(({ versions }) => versions.flatMap(tagsOfVersion)),
  );
  const had = (tag: string): string => {
    const fact = stack.get(tag);
    if (fact === undefined) return `the project has no ${tag}`;
    const only = fact.isDevelopment === true ? ' for development only' : '';
    return `the project has ${tag} ${fact.version ?? 'at an unknown version'} (${fact.source})${only}`;
  };
  const reason = (kind: Reason['kind'], name: string, text: string): Reason => {
    return { kind, name, text };
  };
  return [
    ...[...locked].map(([id, { version }]) =>
      reason('installed', id, `"${id}" ${version} is installed`),
    ),
    ...(age === undefined ? [] : [reason('age', age, `${age} hides newer versions`)]),
    ...[...tags].sort().map((tag) => reason('stack', tag, had(tag))),
    ...requests.map((one) => reason('request', one.id, `you ask for "${formatRequest(one)}"`)),
  ];
}
