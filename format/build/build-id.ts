/** Build ids: `<owner>/<name>`, such as `alice/web-login`. Ranges after `@` belong to the client. */
import { finding, type Finding } from '../finding/finding.ts';
import { printable } from './file-path.ts';

/** An owner is a code-host login in lower case: 1 to 39 characters. */
const OWNER_PATTERN: RegExp = /^[a-z0-9](?:[a-z0-9-]{0,37}[a-z0-9])?$/;

/** A build name, by the manifest table of the specification: 1 to 50 characters. */
export const NAME_PATTERN: RegExp = /^[a-z0-9](?:[a-z0-9-]{0,48}[a-z0-9])?$/;

interface BuildId {
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
 * @example
 * tryParseBuildId('alice/web'); // { owner: 'alice', name: 'web' }
 */
export function tryParseBuildId(text: string): BuildId | undefined {
  const parts = text.split('/');
  const [owner = '', name = ''] = parts;
  if (parts.length !== 2 || !isOwner(owner) || !isBuildName(name)) return undefined;
  return { owner, name };
}

/**
 * The faults of a folder name `<owner>/<name>` as a build id.
 * @param isBuild whether the registry has a build with that id
 */
export function checkBuildId(
  { owner, name }: BuildId,
  isBuild: (id: string) => boolean,
): Finding[] {
  const found: Finding[] = [];
  const twin = `${owner}/${name}`.toLowerCase();
  if (twin !== `${owner}/${name}` && isBuildId(twin) && isBuild(twin)) {
    found.push(finding('build-id-case', '', { twin }));
  }
  if (!isOwner(owner)) found.push(finding('build-id-owner', '', { owner: printable(owner) }));
  if (!isBuildName(name)) found.push(finding('build-id-name', '', { name: printable(name) }));
  return found;
}
