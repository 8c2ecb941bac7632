/** `fit`: checks whether builds can be installed into the project; if not, prints a minimal conflict. Changes nothing. */
import type { StackFact } from '../../format/project/declared-stack.ts';
import type { Head } from '../../format/index/head.ts';
import type { Resolved } from '../registry/solve.ts';
import { KnownHeads, ResolveError, withCheckedHint } from '../registry/solve.ts';
import { followMoves } from '../registry/follow-moves.ts';
import { NO_CHOICES } from '../plan/make-plan.ts';
import type { PlanChoices } from '../plan/plan.ts';
import { fetchAddition } from './add.ts';
import { planChange } from './plan-change.ts';
import { chooseProject } from '../project/choose-project.ts';
import { readLock } from '../project/project.ts';
import type { BuildRequest } from '../resolve/request.ts';
import { parseRegistryRequest, formatRequest } from '../resolve/request.ts';
import { nodeInUse } from '../project/stack/node-in-use.ts';
import { readStack } from '../project/stack/read-stack.ts';
import type { AgeOptions } from '../resolve/version-age.ts';
import { parseAge } from '../resolve/version-age.ts';
import { counted } from '../terminal/closing-sentence.ts';
import type { CommandContext, GlobalOptions, Outcome } from '../terminal/command.ts';
import { printWarnings } from '../terminal/command.ts';
import type { StyledText } from '../terminal/styled-text.ts';
import { span } from '../terminal/styled-text.ts';
import { withRegistry } from '../registry/open-registry.ts';
import type { Lock } from '../../format/lock/lock.ts';
import type { Conflict } from '../resolve/conflict.ts';
import type { ResolveInput } from '../resolve/resolver.ts';

export interface FitOptions extends GlobalOptions, AgeOptions {
  /** Prints the derivation of a failure. */
  readonly why: boolean;
}

type Solved = Extract<Resolved, { kind: 'solved' }>;

/** @throws {ClientError} `ERR_BUILD_NOT_FOUND`, `ERR_KIND`, `ERR_DEPENDENCY`, and those of the registry */
export async function fit(
  texts: readonly string[],
  options: FitOptions,
  context: CommandContext,
): Promise<Outcome> {
  const asked = texts.map(parseRegistryRequest);
  const project = chooseProject({ ...options, isAnyFolder: true });
  const lock = readLock(project);
  const locked = new Map(Object.entries(lock?.builds ?? {}));
  const age = parseAge(options, Date.now());
  const stack = await readStack(project, await nodeInUse(project));
  return withRegistry(options, lock, context, async (registry) => {
    const { requests, notes } = await followMoves(registry, asked, lock);
    const known = new KnownHeads(registry, age, locked);
    const resolution = await known.resolve({ requests, locked, stack });
    if (resolution.kind === 'solved') {
      // Nothing is written, so that nothing needs consent. The plan also checks kinds, package ranges and archives. "add --dry-run" checks files.
      const { change, requested } = await fetchAddition({ project, registry, requests, lock, age });
      const choices: PlanChoices = { ...NO_CHOICES, requested, on_exists: 'skip' };
      const made = await planChange(project, change, choices);
      const language = made.plan.warnings.filter(({ code }) => code === 'language');
      const warnings = [...notes, ...language];
      printWarnings({ warnings }, context);
      return { ...fits(resolution, stack), warnings };
    }
    const cannotFit = ['ERR_BUILD_NOT_FOUND', 'ERR_RESOLVE_LIMIT'].includes(resolution.code);
    const tried = { known, requests, locked, stack, lock };
    if (cannotFit) throw new ResolveError(await withCheckedHint(resolution, tried));
    const found = await smallestReason({ known, requests, locked, stack, age: age?.why });
    const conflict = found.conflict ?? resolution;
    const { hint } = await withCheckedHint(conflict, tried);
    const { explanation } = resolution;
    // A version that exists and is hidden by its age is not "not found".
    const isHidden = found.reasons.some(({ kind }) => kind === 'age');
    const code = isHidden ? 'ERR_RESOLVE' : conflict.code;
    const error = new ResolveError({
      ...conflict,
      code,
      ...(hint === undefined ? {} : { hint }),
      // `--why` prints it with the reasons.
      explanation: explanation && { ...explanation, isBranching: false },
    });
    const stackFacts = factsFor(tagsOf(known.heads.values(), requests), stack);
    return {
      status: 'error',
      data: { fits: false, reasons: found.reasons, stack: stackFacts },
      text: [
        [span('bad', 'It does not fit'), ', because'],
        ...found.reasons.map(({ text }) => `  ${text}`),
        ...(options.why ? ['This follows so:', ...indented(explanation?.lines ?? [])] : []),
      ],
      error,
    };
  });
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}

function fits({ versions, requiredBy }: Solved, stack: ReadonlyMap<string, StackFact>): Outcome {
  const builds = [...versions].map(([id, { version, requires }]) => {
    return { id, version, required_by: requiredBy.get(id) ?? [], requires };
  });
  const tags = new Set(builds.flatMap(({ requires }) => Object.keys(requires)));
  const facts = factsFor(tags, stack);
  const lines = builds.map(({ id, version, required_by }): StyledText => {
    const why = required_by.length === 0 ? '' : `  required by ${required_by.join(', ')}`;
    return ['  ', span('strong', id), ' ', span('number', version), span('faint', why)];
  });
  return {
    status: 'done',
    ...(builds.length === 0 ? {} : { closing: `Resolved ${counted(builds.length, 'build')}` }),
    data: { fits: true, builds, stack: facts },
    text: [
      builds.length === 0 ? 'It is installed already' : [span('good', 'It fits'), ', with'],
      ...lines,
      ...(facts.length === 0 ? [] : ['The project has']),
      ...facts.map(({ tag, version, source }): StyledText => {
        return ['  ', tag, ' ', span('number', version ?? ''), '  from ', span('path', source)];
      }),
    ],
  };
}

function tagsOf(heads: Iterable<Head>, requests: readonly { readonly id: string }[]): Set<string> {
  const asked = [...heads].filter(({ id }) => requests.some((request) => request.id === id));
  return new Set(asked.flatMap((h) => h.versions.flatMap((v) => Object.keys(v.requires))));
}

/** What the project has of `tags`, and where that was found. */
function factsFor(
  tags: ReadonlySet<string>,
  stack: ReadonlyMap<string, StackFact>,
): { tag: string; version: string | undefined; source: string }[] {
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
  readonly assumed: ReadonlySet<string>;
  readonly isAged: boolean;
}

interface Fact {
  readonly reason: Reason;
  /** The situation without this fact. */
  readonly without: (situation: Situation) => Situation;
}

interface ReasonInput {
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
async function smallestReason(
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
