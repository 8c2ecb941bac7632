/** A build that a user requests on the command line: `alice/web`, `alice/web@^1.2.0` or `alice/web@1.2.3`; the parts of an id. */
import { isBuildId } from '../../format/build/build-id.ts';
import { isRegistryName } from '../../format/registry/registry-name.ts';
import { rangeProblem } from '../../format/version/semver-range.ts';
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
 * Reads `<owner>/<name>[@<range>]`; `@latest` is what no range means.
 * @throws {ClientError} `ERR_USAGE`
 */
export function parseRequest(text: string): BuildRequest {
  const at = text.indexOf('@');
  const id = at === -1 ? text : text.slice(0, at);
  if (!isBuildId(id)) throw unreadable(text, `${JSON.stringify(id)} is not a build id`);
  if (at === -1) return { id, range: undefined };
  const range = text.slice(at + 1);
  if (range === 'latest') return { id, range: undefined };
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
