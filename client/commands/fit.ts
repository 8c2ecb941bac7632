/** `fit`: checks whether builds can be installed into the project; if not, prints a minimal conflict. Changes nothing. */
import type { StackFact } from '../../format/project/declared-stack.ts';
import type { Head } from '../../format/index/head.ts';
import { KnownHeads } from '../operation/known-heads.ts';
import { followMoves } from '../operation/follow-moves.ts';
import { planInstall } from '../operation/plan-install.ts';
import { chooseProject } from '../project/choose-project.ts';
import { readLock } from '../project/project.ts';
import { parseRegistryRequest } from '../resolve/request.ts';
import type { Resolved } from '../operation/known-heads.ts';
import { smallestReason } from '../operation/minimal-conflict.ts';
import { withCheckedHint } from '../operation/checked-hint.ts';
import { ResolveError } from '../operation/resolve-error.ts';
import { nodeInUse } from '../project/stack/node-in-use.ts';
import { readStack } from '../project/stack/read-stack.ts';
import type { AgeOptions } from '../resolve/version-age.ts';
import { parseAge } from '../resolve/version-age.ts';
import { counted } from '../operation/closing-sentence.ts';
import type { CommandContext, GlobalOptions, Outcome } from '../operation/command.ts';
import { printWarnings } from '../operation/print-warnings.ts';
import type { StyledText } from '../terminal/styled-text.ts';
import { span } from '../terminal/styled-text.ts';
import { withRegistry } from '../operation/open-registry.ts';

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
      const plan = { project, registry, requests, lock, age, allow: [] };
      const made = await planInstall({ ...plan, onExists: 'skip' });
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
