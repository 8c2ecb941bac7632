/**
 * Finds a minimal conflict: a set of facts that keep builds from fitting a project, of which none can be left
 * out. Only requests and the state of the project count as facts: the user cannot change the registry.
 */
import type { StackFact } from '../../format/project/declared-stack.ts';
import type { Lock } from '../../format/lock/lock.ts';
import type { Conflict } from '../resolve/conflict.ts';
import type { KnownHeads } from './known-heads.ts';
import type { BuildRequest } from '../resolve/request.ts';
import { formatRequest } from '../resolve/request.ts';
import type { ResolveInput } from '../resolve/resolver.ts';

export interface Reason {
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
  readonly assumed: ReadonlySet<string>;
  readonly isAged: boolean;
}

interface Fact {
  readonly reason: Reason;
  /** The situation without this fact. */
  readonly without: (situation: Situation) => Situation;
}

export interface ReasonInput {
  readonly known: KnownHeads;
  readonly requests: readonly BuildRequest[];
  readonly locked: ReadonlyMap<string, Lock['builds'][string]>;
  readonly stack: ReadonlyMap<string, StackFact>;
  /** The options on age; `undefined` without any. */
  readonly age: string | undefined;
}

/**
 * The minimal conflict of a resolution that failed, and the conflict that the resolver reports for it alone.
 * @throws {ClientError} those of the registry
 */
export async function smallestReason(
  input: ReasonInput,
): Promise<{ readonly reasons: readonly Reason[]; readonly conflict: Conflict | undefined }> {
  const unaged = input.known.withoutAge();
  const resolve = async (situation: Situation): Promise<Conflict | undefined> => {
    const known = situation.isAged ? input.known : unaged;
    const { requests, locked, assumed } = situation;
    const wanted: Omit<ResolveInput, 'heads' | 'missing'> = {
      requests,
      locked,
      assumed,
      stack: input.stack,
    };
    const resolution = await known.resolve(wanted);
    return resolution.kind === 'conflict' ? resolution : undefined;
  };
  let situation: Situation = {
    requests: input.requests,
    locked: input.locked,
    assumed: new Set(),
    isAged: input.age !== undefined,
  };
  let conflict = await resolve(situation);
  const reasons: Reason[] = [];
  for (const fact of factsOf(input).slice(0, MAX_FACTS)) {
    const next = fact.without(situation);
    const still = await resolve(next);
    if (still === undefined) reasons.push(fact.reason);
    else [situation, conflict] = [next, still];
  }
  return { reasons, conflict };
}

/** Every fact of the project and the request that may cause the failure, the least informative first. */
function factsOf({ known, requests, locked, stack, age }: ReasonInput): Fact[] {
  const installed = [...locked].map(([id, { version }]): Fact => {
    const reason = {
      kind: 'installed',
      name: id,
      text: `"${id}" ${version} is installed`,
    } as const;
    return {
      reason,
      without: (s) => ({ ...s, locked: new Map([...s.locked].filter(([other]) => other !== id)) }),
    };
  });
  const asked = requests.map((request): Fact => {
    const { id } = request;
    const text = `you ask for "${formatRequest(request)}"`;
    return {
      reason: { kind: 'request', name: id, text },
      without: (s) => ({ ...s, requests: s.requests.filter((other) => other.id !== id) }),
    };
  });
  const tags = new Set(
    [...known.heads.values()].flatMap(({ versions }) =>
      versions.flatMap(({ requires }) => Object.keys(requires)),
    ),
  );
  const had = [...tags].sort().map((tag): Fact => {
    const fact = stack.get(tag);
    const text =
      fact === undefined
        ? `the project has no ${tag}`
        : `the project has ${tag} ${fact.version ?? 'at an unknown version'} (${fact.source})`;
    return {
      reason: { kind: 'stack', name: tag, text },
      without: (s) => ({ ...s, assumed: new Set([...s.assumed, tag]) }),
    };
  });
  const aged: Fact[] =
    age === undefined
      ? []
      : [
          {
            reason: { kind: 'age', name: age, text: `${age} hides newer versions` },
            without: (s) => ({ ...s, isAged: false }),
          },
        ];
  return [...installed, ...aged, ...had, ...asked];
}
