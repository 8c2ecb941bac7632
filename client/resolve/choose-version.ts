/** Chooses a version of one build for a range, without other builds or a project. Pure. */
import type { Status } from '../../format/registry/status.ts';
import {
  compareVersions,
  firstPublications,
  isPrerelease,
  satisfies,
} from '../../format/version/semver-range.ts';
import { ClientError } from '../errors.ts';
import { nearestHint, nearestVersions } from './nearest-versions.ts';
import { namesExactly } from './request.ts';

interface Listed {
  readonly version: string;
  readonly published_at: string;
  readonly status: Pick<Status, 'is'>;
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
    .filter((v) => v.status.is === 'open' && (range === undefined || satisfies(v.version, range)))
    .sort((a, b) => compareVersions(b.version, a.version));
  const chosen = exact ?? fitting.find((v) => !isPrerelease(v.version)) ?? fitting[0];
  if (chosen !== undefined) return chosen;
  const yanked = firsts.find((v) => {
    return v.status.is === 'yanked' && satisfies(v.version, wanted);
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
