/** Generated registries for tests of the resolver. */

/** Build to version to required build to range. */
type Requirements = Record<string, Record<string, Record<string, string>>>;

export interface Family {
  readonly name: string;
  readonly builds: Requirements;
  /** Requested builds and ranges. */
  readonly requests: readonly (readonly [id: string, range: string])[];
}

/** Each of `count` builds needs the major version of one core that equals its own; the last has only 1.0.0. */
export function sharedCore(count: number, majors: number): Family {
  const builds: Requirements = { core: {} };
  for (let major = 1; major <= majors; major += 1) builds['core']![`${major}.0.0`] = {};
  for (let n = 0; n < count; n += 1) {
    const own = (builds[`b${n}`] = {}) as Record<string, Record<string, string>>;
    const last = n === count - 1 ? 1 : majors;
    for (let major = 1; major <= last; major += 1) {
      own[`${major}.0.0`] = { core: `>=${major}.0.0 <${major + 1}.0.0` };
    }
  }
  const requests = Array.from({ length: count }, (_, n) => [`b${n}`, '*'] as const);
  return { name: `shared core ${count} x ${majors}`, builds, requests };
}

/** Builds whose versions each need two others, in a range of up to 3 of 5 versions; three are requested. */
export function randomUniverse(count: number, majors: number, seed: number): Family {
  const random = randomFrom(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  const builds: Requirements = {};
  for (let n = 0; n < count; n += 1) {
    const own = (builds[`b${n}`] = {}) as Record<string, Record<string, string>>;
    for (let major = 1; major <= majors; major += 1) {
      const needs: Record<string, string> = {};
      for (let times = 0; times < 2; times += 1) {
        const other = below(count);
        if (other === n) continue;
        const low = 1 + below(majors);
        const high = Math.min(majors, low + below(Math.ceil(majors * 0.6)));
        needs[`b${other}`] = `>=${low}.0.0 <${high + 1}.0.0`;
      }
      own[`${major}.0.0`] = needs;
    }
  }
  const requests = [0, 1, 2].map((n) => [`b${n}`, '*'] as const);
  return { name: `random ${count} x ${majors}, seed ${seed}`, builds, requests };
}

/** The pigeonhole problem: `count` builds for `count - 1` holes, each with room for one. It has no solution. */
export function pigeonhole(count: number): Family {
  const builds: Requirements = {};
  for (let hole = 1; hole < count; hole += 1) {
    const own = (builds[`hole${hole}`] = {}) as Record<string, Record<string, string>>;
    for (let bird = 1; bird <= count; bird += 1) own[`${bird}.0.0`] = {};
  }
  for (let bird = 1; bird <= count; bird += 1) {
    const own = (builds[`bird${bird}`] = {}) as Record<string, Record<string, string>>;
    for (let hole = 1; hole < count; hole += 1) {
      own[`${hole}.0.0`] = { [`hole${hole}`]: `>=${bird}.0.0 <${bird + 1}.0.0` };
    }
  }
  const requests = Array.from({ length: count }, (_, n) => [`bird${n + 1}`, '*'] as const);
  return { name: `pigeonhole ${count}`, builds, requests };
}

/** Each build needs the next. */
export function chain(count: number): Family {
  const builds: Requirements = {};
  for (let n = 0; n < count; n += 1) {
    const needs: Record<string, string> = n + 1 < count ? { [`b${n + 1}`]: '>=1.0.0 <2.0.0' } : {};
    builds[`b${n}`] = { '1.0.0': needs };
  }
  return { name: `chain of ${count}`, builds, requests: [['b0', '*']] };
}

/** A row of diamonds: each top needs two sides, which need the next top in other ranges. */
export function diamonds(count: number): Family {
  const builds: Requirements = {};
  for (let n = 0; n <= count; n += 1) {
    const needs: Record<string, string> =
      n < count ? { [`left${n}`]: '>=1.0.0', [`right${n}`]: '>=1.0.0' } : {};
    builds[`top${n}`] = { '1.0.0': needs, '1.1.0': needs, '2.0.0': needs };
    if (n === count) break;
    builds[`left${n}`] = { '1.0.0': { [`top${n + 1}`]: '>=1.0.0 <2.0.0' } };
    builds[`right${n}`] = { '1.0.0': { [`top${n + 1}`]: '>=1.1.0' } };
  }
  return { name: `${count} diamonds`, builds, requests: [['top0', '*']] };
}

/** A build with `count` versions, of which only the lowest ten have no unmet requirement. */
export function manyVersions(count: number): Family {
  const own: Record<string, Record<string, string>> = {};
  for (let n = 0; n < count; n += 1) own[`1.${n}.0`] = n < 10 ? {} : { other: '>=2.0.0' };
  const builds = { wide: own, other: { '1.0.0': {} } };
  return { name: `${count} versions`, builds, requests: [['wide', '*']] };
}

/** Numbers from 0 up to 1, the same for the same seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed + 1;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
