/** Incompatibilities that state the facts of heads, requests and the lock. */
import type { BuildTable } from './build-table.ts';
import type { Candidates } from './candidates.ts';
import { admits } from '../../format/version/admits.ts';
import type { ExternalCause, Origin } from './incompatibility.ts';
import type { BuildRequest } from './request.ts';
import type { ResolveInput } from './resolve-input.ts';
import type { Term } from './term.ts';
import type { VersionSet } from './version-set.ts';
import { intersect, subtract } from './version-set.ts';

/** An incompatibility that has no number yet. */
export interface Fact {
  readonly terms: Term[];
  readonly cause: ExternalCause;
}

/** A requirement whose required build may not be known yet. */
export interface OpenRequirement {
  readonly origin: Origin;
  /** The versions that require it in that range. */
  readonly by: VersionSet;
}

/** The fact for `request`, whose head must be known; `undefined` when the installed version meets it. */
export function requestFact(builds: BuildTable, { id, range }: BuildRequest): Fact | undefined {
  const origin = { build: undefined, by: undefined, version: '', required: id, range };
  const build = builds.numberOf(id);
  const known = builds.known(build)!;
  if (known.kind === 'missing') return { terms: [], cause: { kind: 'missing', origin } };
  if (known.kind === 'locked') {
    const installed = known.version;
    if (admits(installed, range)) return undefined;
    return { terms: [], cause: { kind: 'locked', origin, installed } };
  }
  const versions = known.candidates.requested(range);
  if (versions.length === 0) return { terms: [], cause: { kind: 'no-version', origin } };
  const terms = [{ build, isPositive: false, versions }];
  return { terms, cause: { kind: 'requirement', origin } };
}

/** The requirements of installed builds for `build`; they do not add it to the solution. */
export function installedFacts(
  { locked }: ResolveInput,
  builds: BuildTable,
  build: number,
  candidates: Candidates,
): Fact[] {
  const required = builds.idOf(build);
  return [...locked].flatMap(([by, installed]): Fact[] => {
    const range = Object.hasOwn(installed.builds, required)
      ? installed.builds[required]
      : undefined;
    if (range === undefined) return [];
    const versions = subtract(candidates.eligible, candidates.inRange(range));
    if (versions.length === 0) return [];
    const origin = { build: undefined, by, version: installed.version, required, range };
    const terms = [{ build, isPositive: true, versions }];
    return [{ terms, cause: { kind: 'requirement', origin } }];
  });
}

/** The fact for a requirement whose required build is known; `undefined` when it is always met. */
export function requirementFact(
  builds: BuildTable,
  { origin, by }: OpenRequirement,
): Fact | undefined {
  const { build, required, range } = origin;
  const term = { build: build!, isPositive: true, versions: by };
  const other = builds.numberOf(required);
  const known = builds.known(other)!;
  if (other === build) return selfFact(builds.candidates(build)!, origin, by);
  if (known.kind === 'missing') return { terms: [term], cause: { kind: 'missing', origin } };
  if (known.kind === 'locked') {
    const installed = known.version;
    if (admits(installed, range)) return undefined;
    return { terms: [term], cause: { kind: 'locked', origin, installed } };
  }
  const versions = known.candidates.inRange(range);
  if (versions.length === 0) return { terms: [term], cause: { kind: 'no-version', origin } };
  const terms = [term, { build: other, isPositive: false, versions }];
  return { terms, cause: { kind: 'requirement', origin } };
}

function selfFact(candidates: Candidates, origin: Origin, by: VersionSet): Fact | undefined {
  const own = candidates.versions.where(({ version }) => admits(version, origin.range));
  const versions = subtract(intersect(by, candidates.eligible), own);
  if (versions.length === 0) return undefined;
  const terms = [{ build: origin.build!, isPositive: true, versions }];
  return { terms, cause: { kind: 'self', origin } };
}
