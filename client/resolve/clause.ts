/** An incompatibility as a clause of a sentence. Pure. */
import type { BuildTable, ResolveInput } from './build-table.ts';
import { factText, needVerb, noVersionReason } from './conflict.ts';
import {
  type Incompatibility,
  intersect,
  isSubset,
  type Origin,
  type Term,
  type VersionSet,
} from './incompatibility.ts';

/** How many runs of versions are listed. */
const MAX_RUNS = 4;

/** A clause without a full stop, such as `"a/x" 1.0.0 needs "b/y" ^2.0.0`. */
export function clauseOf(
  { terms, cause }: Incompatibility,
  builds: BuildTable,
  input: ResolveInput,
): string {
  if (cause.kind === 'derived') return conclusion(terms, builds);
  if (cause.kind === 'stack') {
    const own = terms.find(({ build }) => build === cause.build)!;
    const { tag, range, found } = cause;
    const verb = needVerb(cause.version, cause.measured);
    const needs = `${textOf(own, builds)} ${verb} ${range === '*' ? tag : `${tag} ${range}`}`;
    const fact = input.stack.get(tag);
    const there = [
      ...(fact === undefined ? [] : [factText(fact)]),
      ...found.map(({ id, version }) => `${version} of "${id}"`),
      ...[...input.locked]
        .filter(([, build]) => build.provides.includes(tag))
        .map(([id, { version }]) => `${version} of "${id}"`),
    ];
    return `${needs} (${there.length === 0 ? 'the project has none' : `found ${there.join(' and ')}`})`;
  }
  const { origin } = cause;
  const needs = demandText(
    origin,
    terms.find(({ build }) => build === origin.build),
    builds,
  );
  switch (cause.kind) {
    case 'requirement':
      return needs;
    case 'missing':
      return `${needs}, and the registry has no such build`;
    case 'locked':
      return `${needs}, but "${origin.required}" ${cause.installed} is installed`;
    case 'self':
      return `${needs}, which is not the version that requires it`;
    case 'no-version': {
      const head = input.heads.get(origin.required)!;
      const demand = { id: origin.required, range: origin.range, by: undefined };
      return `${needs}, but ${noVersionReason(head, demand).text}`;
    }
  }
}

function demandText(
  { build, by, version, required, range }: Origin,
  term: Term | undefined,
  builds: BuildTable,
): string {
  const what = range === undefined ? `"${required}"` : `"${required}" ${range}`;
  if (by === undefined) return `you asked for ${what}`;
  if (build === undefined) return `"${by}" ${version}, which is installed, needs ${what}`;
  return `${textOf(term!, builds)} needs ${what}`;
}

function conclusion(terms: readonly Term[], builds: BuildTable): string {
  const chosen = terms.filter(({ isPositive }) => isPositive).map((term) => textOf(term, builds));
  const needed = terms.filter(({ isPositive }) => !isPositive).map((term) => textOf(term, builds));
  const [subject, object] = [listOf(chosen, 'and'), listOf(needed, 'or')];
  if (terms.length === 0) return 'the request cannot be met';
  if (chosen.length === 0) return `${object} must be chosen`;
  if (needed.length === 0) {
    if (chosen.length > 1) return `${subject} exclude each other`;
    return subject.startsWith('any ')
      ? `no version of ${subject.slice('any '.length)} can be chosen`
      : `${subject} cannot be chosen`;
  }
  return chosen.length === 1 ? `${subject} needs ${object}` : `${subject} together need ${object}`;
}

/** `"a/x" 1.0.0 to 1.4.0` */
function textOf({ build, versions }: Term, builds: BuildTable): string {
  const candidates = builds.candidates(build)!;
  const id = `"${builds.idOf(build)}"`;
  const set = intersect(versions, candidates.eligible);
  if (isSubset(candidates.eligible, set)) {
    const isOnly = candidates.eligible.length === 2 && set[1]! - set[0]! === 1;
    return isOnly ? `${id} ${candidates.at(set[0]!).version}` : `any ${id}`;
  }
  const runs = runsOf(set, candidates.eligible).map(([low, high]) => {
    const [from, to] = [candidates.at(low).version, candidates.at(high).version];
    return low === high ? from : `${from} to ${to}`;
  });
  const named = runs.slice(0, MAX_RUNS);
  const more = runs.length - named.length;
  return `${id} ${listOf(more === 0 ? named : [...named, `${more} more`], 'and')}`;
}

/** First and last position of each run of `set` that skips no version of `all`. */
function runsOf(set: VersionSet, all: VersionSet): [number, number][] {
  const runs: [number, number][] = [];
  for (let at = 0; at < set.length; at += 2) {
    const last = runs.at(-1);
    const gap: VersionSet = last === undefined ? [] : [last[1] + 1, set[at]!];
    if (last !== undefined && intersect(gap, all).length === 0) last[1] = set[at + 1]! - 1;
    else runs.push([set[at]!, set[at + 1]! - 1]);
  }
  return runs;
}

function listOf(texts: readonly string[], word: 'and' | 'or'): string {
  if (texts.length < 2) return texts[0] ?? '';
  return `${texts.slice(0, -1).join(', ')} ${word} ${texts.at(-1)}`;
}
