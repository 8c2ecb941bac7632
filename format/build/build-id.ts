/** Build ids: `<owner>/<name>`, such as `alice/web-login`. Ranges after `@` belong to the client. */
import { FormatError } from '../errors.ts';

/** An owner is a code-host login in lower case: 1 to 39 characters. */
const OWNER_PATTERN: RegExp = /^[a-z0-9](?:[a-z0-9-]{0,37}[a-z0-9])?$/;

/** A build name, by the manifest table of the specification: 1 to 50 characters. */
export const NAME_PATTERN: RegExp = /^[a-z0-9](?:[a-z0-9-]{0,48}[a-z0-9])?$/;

export interface BuildId {
  readonly owner: string;
  readonly name: string;
}

/** Whether `text` is a login that may own builds. */
export function isOwner(text: string): boolean {
  return OWNER_PATTERN.test(text);
}

/** Whether `text` is a build name. */
export function isBuildName(text: string): boolean {
  return NAME_PATTERN.test(text);
}

/** Whether `text` is `<owner>/<name>`. */
export function isBuildId(text: string): boolean {
  return tryParseBuildId(text) !== undefined;
}

/**
 * Reads `<owner>/<name>`.
 * @throws {FormatError} `ERR_BUILD_ID`
 * @example
 * parseBuildId('alice/web'); // { owner: 'alice', name: 'web' }
 */
export function parseBuildId(text: string): BuildId {
  const id = tryParseBuildId(text);
  if (id === undefined) {
    throw new FormatError('ERR_BUILD_ID', `Cannot read build id ${JSON.stringify(text)}`, {
      hint: 'write "<owner>/<name>" with a-z, 0-9 and "-" inside, such as "stackyard/sqlite"',
    });
  }
  return id;
}

/** Like `parseBuildId`, but returns `undefined` instead of throwing. */
export function tryParseBuildId(text: string): BuildId | undefined {
  const parts = text.split('/');
  const [owner = '', name = ''] = parts;
  if (parts.length !== 2 || !isOwner(owner) || !isBuildName(name)) return undefined;
  return { owner, name };
}

/** The inverse of `parseBuildId`. */
export function formatBuildId(id: BuildId): string {
  return `${id.owner}/${id.name}`;
}
