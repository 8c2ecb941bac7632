/**
 * Why builds do not fit a project, as a smallest set of facts: taking any one of them away makes the
 * rest fit, or at least fail for fewer reasons. What the registry says is no such fact: it cannot be
 * changed here.
 */
import type { Lock } from '../../format/lock.ts';
import type { Conflict } from '../resolve/conflict.ts';
import type { KnownHeads } from './known-heads.ts';
import type { BuildRequest } from '../resolve/request.ts';
import { formatRequest } from '../resolve/request.ts';
import type { ResolveInput } from '../resolve/resolver.ts';
import type { StackFact } from '../resolve/stack-tags.ts';

export interface Reason {
  readonly kind: 'request' | 'installed' | 'stack' | 'age';
  /** The id of the build, the tag, or the option. */
  readonly name: string;
  readonly text: string;
}

/** Facts that are tried one by one; of more, the rest counts as part of the reason untold. */
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
 * The smallest reason of a failure that is known, and its words when nothing else is in the way.
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

/** Everything of the project and the request that may stand in the way, the least telling first. */
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
        : `the project has ${tag} ${fact.version ?? 'at a version that cannot be told'} (${fact.source})`;
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
