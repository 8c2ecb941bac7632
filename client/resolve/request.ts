/** A build that a user requests on the command line: `alice/web`, `alice/web@^1.2.0` or `alice/web@1.2.3`; the parts of an id. */
import { isBuildId, isBuildName, isOwner } from '../../format/build/build-id.ts';
import { isRegistryName } from '../../format/registry/registry-name.ts';
import {
  compareVersions,
  firstPublications,
  isPrerelease,
  rangeProblem,
  satisfies,
} from '../../format/version/semver-range.ts';
import { ClientError } from '../errors.ts';

export interface BuildRequest {
  readonly id: string;
  /** An exact version or a semver range; `undefined` is the highest stable version that fits. */
  readonly range: string | undefined;
  /** The name of a registry of the project; absent: that of the owner, otherwise the default one. */
  readonly registry?: string;
}

const HINT =
  'write "<owner>/<name>[@<range>]", such as "alice/web", "alice/web@^1.2.0" or "alice/web@1.2.3"';

/** semver would read `v1`; the registry's versions have no `v`. */
const LEADING_V = /(?:^|[\s<>=~^|])v\d/i;

/**
 * Reads `<owner>/<name>[@<range>]`.
 * @throws {ClientError} `ERR_USAGE`
 */
export function parseRequest(text: string): BuildRequest {
  const at = text.indexOf('@');
  const id = at === -1 ? text : text.slice(0, at);
  if (!isBuildId(id)) throw unreadable(text, `${JSON.stringify(id)} is not a build id`);
  if (at === -1) return { id, range: undefined };
  const range = text.slice(at + 1);
  const problem = requestRangeProblem(range);
  if (problem !== undefined) throw unreadable(text, `its range cannot be used: ${problem}`);
  return { id, range };
}

/**
 * Reads `[<registry>:]<owner>/<name>[@<range>]`.
 * @throws {ClientError} `ERR_USAGE`
 */
export function parseRegistryRequest(text: string): BuildRequest {
  const [, name, rest] = /^([^@:/]*):(.*)$/s.exec(text) ?? [];
  if (name === undefined || rest === undefined) return parseRequest(text);
  if (isRegistryName(name)) return { ...parseRequest(rest), registry: name };
  throw new ClientError(
    'ERR_USAGE',
    `Cannot read build ${JSON.stringify(text)}: ${JSON.stringify(name)} is not a name of a registry`,
    { hint: `"stackyard registry list" prints the names; ${HINT}` },
  );
}

/** The inverse of `parseRegistryRequest`. */
export function formatRequest({ id, range, registry }: BuildRequest): string {
  const name = registry === undefined ? id : `${registry}:${id}`;
  return range === undefined ? name : `${name}@${range}`;
}

/** Whether a request names exactly the version `version`: the same text, with the same build metadata. */
export function namesExactly({ range }: Pick<BuildRequest, 'range'>, version: string): boolean {
  return range?.replace(/^=?\s*/, '').trim() === version;
}

function requestRangeProblem(range: string): string | undefined {
  // A line break is white space to semver, and would break the lines of our messages and the lock.
  if (/[^\x20-\x7e]/.test(range)) return 'only printable ASCII can be read';
  if (LEADING_V.test(range)) return 'a version is written without "v"';
  return rangeProblem(range);
}

function unreadable(text: string, problem: string): ClientError {
  const meant = nearestRequest(text);
  const isWord = /^[a-z0-9-]{1,60}$/.test(text);
  const search = isWord ? `look for its owner with "stackyard search ${text}", and ` : '';
  const suggestion = meant === undefined ? search : `did you mean "${meant}"? `;
  return new ClientError('ERR_USAGE', `Cannot read build ${JSON.stringify(text)}: ${problem}`, {
    hint: `${suggestion}${HINT}`,
  });
}

/** `@Alice/My_Web@v1.2.0` was meant as `alice/my-web@1.2.0`; `undefined` when it cannot be guessed. */
function nearestRequest(text: string): string | undefined {
  const [, wanted = '', version = ''] = /^@?([^@]{1,120})(?:@(.{0,60}))?$/s.exec(text) ?? [];
  const id = wanted.trim().toLowerCase().replaceAll(/[_. ]/g, '-');
  const range = version.trim().replaceAll(/v(?=\d)/gi, '');
  if (!isBuildId(id) || (range !== '' && requestRangeProblem(range) !== undefined))
    return undefined;
  return range === '' ? id : `${id}@${range}`;
}

/** Chooses a version of one build for a range, without other builds or a project. */
interface Listed {
  readonly version: string;
  readonly published_at: string;
  /** False, or true, or the reason. */
  readonly yanked: boolean | string;
  /** Its tarball is gone. */
  readonly withdrawn?: true | undefined;
}

/**
 * The version that is named exactly, else the highest that is not yanked and lies in `range`; a prerelease
 * only when there is nothing else. Of versions of equal precedence only the first publication counts, unless
 * another is named.
 * @param range `undefined` is the latest version
 * @throws {ClientError} `ERR_VERSION_NOT_FOUND`
 */
export function chooseVersion<Version extends Listed>(
  id: string,
  versions: readonly Version[],
  latest: string,
  range: string | undefined,
): Version {
  const wanted = range ?? latest;
  const firsts = firstPublications(versions);
  // `latest` of a hostile index may be a repetition, so it is no exact request.
  const nameable = range === undefined ? firsts : versions;
  const exact = nameable.find((v) => namesExactly({ range: wanted }, v.version));
  const fitting = firsts
    .filter((v) => v.yanked === false && (range === undefined || satisfies(v.version, range)))
    .sort((a, b) => compareVersions(b.version, a.version));
  const chosen = exact ?? fitting.find((v) => !isPrerelease(v.version)) ?? fitting[0];
  if (chosen !== undefined) return chosen;
  const yanked = firsts.find((v) => {
    return v.yanked !== false && v.withdrawn !== true && satisfies(v.version, wanted);
  });
  if (yanked !== undefined) {
    throw new ClientError(
      'ERR_VERSION_NOT_FOUND',
      `Every version of "${id}" in "${wanted}" is yanked`,
      { hint: `see one all the same with "${id}@${yanked.version}"` },
    );
  }
  const all = firsts.map(({ version }) => version);
  throw new ClientError('ERR_VERSION_NOT_FOUND', `No version of "${id}" is in "${wanted}"`, {
    hint: nearestHint(nearestVersions(all, wanted)),
  });
}

/** Finds the versions to suggest when the requested one does not exist. */
const MAX_NEAREST = 5;

/** Up to five versions of `versions` that lie nearest to the lowest one that `range` names. */
export function nearestVersions(versions: readonly string[], range: string): string[] {
  const sorted = [...versions].sort((a, b) => compareVersions(b, a));
  const numbers = /(\d+)(?:\.(\d+))?(?:\.(\d+))?/.exec(range);
  if (numbers === null) return sorted.slice(0, MAX_NEAREST);
  const target = `${numbers[1]}.${numbers[2] ?? 0}.${numbers[3] ?? 0}`;
  const above = sorted.filter((version) => compareVersions(version, target) >= 0).reverse();
  const below = sorted.filter((version) => compareVersions(version, target) < 0);
  const nearest: string[] = [];
  for (let at = 0; at < sorted.length && nearest.length < MAX_NEAREST; at += 1) {
    for (const version of [below[at], above[at]]) if (version !== undefined) nearest.push(version);
  }
  return nearest.slice(0, MAX_NEAREST).sort((a, b) => compareVersions(b, a));
}

/** `the nearest versions are 2.0.0, 1.4.0` */
export function nearestHint(nearest: readonly string[]): string {
  const verb = nearest.length === 1 ? 'version is' : 'versions are';
  return `the nearest ${verb} ${nearest.join(', ')}`;
}

/** `text`, which is an owner, in lower case. @throws {ClientError} `ERR_USAGE` */
export function parseOwner(text: string): string {
  if (isOwner(text)) return text;
  throw new ClientError('ERR_USAGE', `${JSON.stringify(text)} is not an owner`, {
    hint: 'an owner is a login at the code host: at most 39 of a-z, 0-9 and "-", no "-" at either end',
  });
}

/** `text`, which is the name of a build. @throws {ClientError} `ERR_USAGE` */
export function parseBuildName(text: string): string {
  if (isBuildName(text)) return text;
  throw new ClientError('ERR_USAGE', `${JSON.stringify(text)} is not a build name`, {
    hint: 'use 1 to 50 of a-z, 0-9 and "-", no "-" at either end',
  });
}
