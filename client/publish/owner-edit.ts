/**
 * Edits an owner's file, `owner.json` in the owner's folder: yanks, withdrawals and deprecations. Every byte that is not edited is kept; a new
 * file is canonical JSON.
 */
import type { Account } from '../../format/registry/account.ts';
import { canonicalJson } from '../../format/document/canonical-json.ts';
import { OwnerFile } from '../../format/registry/owner-file.ts';
import { insertProperty, removeProperty } from '../edit/json/json-insertion.ts';
import { ClientError } from '../errors.ts';

type Place = readonly string[];

/**
 * Whether an owner file records the account of the owner.
 * @throws {ClientError} `ERR_REGISTRY_ANSWER` when `text` is unreadable
 */
export function isClaimed(text: string): boolean {
  return readOwnerFile(text).account_id !== undefined;
}

/** The file of an owner who publishes for the first time. */
export function newOwnerFile(accountId: number, maintainers: readonly Account[]): string {
  return canonicalJson({ account_id: accountId, maintainers });
}

/**
 * `text` with `reason` for a yanked version, or without the yank.
 * @throws {ClientError} `ERR_CONFLICT` when nothing would change, `ERR_REGISTRY_ANSWER` when `text` is unreadable
 */
export function editYank(
  text: string,
  name: string,
  version: string,
  reason: string | undefined,
): string {
  const file = readOwnerFile(text);
  const known = own(own(file.yanked, name), version);
  if (known === reason) {
    throw new ClientError(
      'ERR_CONFLICT',
      reason === undefined
        ? `"${name}" ${version} is not yanked`
        : `"${name}" ${version} is yanked already`,
      { hint: reason === undefined ? 'see stackyard info' : 'give another reason, or --undo' },
    );
  }
  const place = ['yanked', name];
  const bare = known === undefined ? text : withoutAt(text, place, version);
  return reason === undefined ? pruned(bare, place) : withAt(bare, place, version, reason);
}

/** `text` with `reason` for a withdrawn version. @throws {ClientError} as `editYank` */
export function editWithdrawal(
  text: string,
  name: string,
  version: string,
  reason: string,
): string {
  if (own(own(readOwnerFile(text).withdrawn, name), version) === undefined) {
    return withAt(text, ['withdrawn', name], version, reason);
  }
  throw new ClientError('ERR_CONFLICT', `"${name}" ${version} is withdrawn already`, {
    hint: 'a withdrawal is permanent: publish another version',
  });
}

/**
 * `text` with a deprecation of the build `name`, or without it.
 * @throws {ClientError} as `editYank`
 */
export function editDeprecation(
  text: string,
  name: string,
  deprecation: { readonly reason: string; readonly replacement?: string } | undefined,
): string {
  const known = own(readOwnerFile(text).deprecated, name);
  const isSame =
    known?.reason === deprecation?.reason && known?.replacement === deprecation?.replacement;
  if (isSame) {
    throw new ClientError(
      'ERR_CONFLICT',
      deprecation === undefined ? `"${name}" is not deprecated` : `"${name}" is deprecated already`,
      { hint: deprecation === undefined ? 'see stackyard info' : 'give another reason, or --undo' },
    );
  }
  const bare = known === undefined ? text : withoutAt(text, ['deprecated'], name);
  if (deprecation === undefined) return pruned(bare, ['deprecated']);
  const place = ['deprecated', name];
  const reasoned = withAt(bare, place, 'reason', deprecation.reason);
  const { replacement } = deprecation;
  return replacement === undefined ? reasoned : withAt(reasoned, place, 'replacement', replacement);
}

/** @throws {ClientError} `ERR_REGISTRY_ANSWER` */
function readOwnerFile(text: string): OwnerFile {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  const result = OwnerFile.safeParse(value);
  if (result.success) return result.data;
  throw new ClientError('ERR_REGISTRY_ANSWER', 'The owner.json in the registry cannot be read', {
    hint: 'correct it with a pull request, or ask the admins of the registry',
  });
}

function withAt(text: string, place: Place, key: string, value: string): string {
  let made = text;
  place.forEach((name, depth) => {
    const above = place.slice(0, depth);
    if (!isThere(made, [...above, name])) made = insertProperty(made, above, name, {});
  });
  return insertProperty(made, place, key, value);
}

function withoutAt(text: string, place: Place, key: string): string {
  return removeProperty(text, place, key, true);
}

/** Removes the objects on the path `place` that are empty now, innermost first. */
function pruned(text: string, place: Place): string {
  let left = text;
  for (let depth = place.length; depth > 0; depth -= 1) {
    const value = valueAt(left, place.slice(0, depth));
    if (typeof value !== 'object' || value === null || Object.keys(value).length > 0) return left;
    left = withoutAt(left, place.slice(0, depth - 1), place[depth - 1]!);
  }
  return left;
}

/** Names of builds may be names of inherited properties, such as `constructor`. */
function own<Value>(
  map: Readonly<Record<string, Value>> | undefined,
  key: string,
): Value | undefined {
  return map !== undefined && Object.hasOwn(map, key) ? map[key] : undefined;
}

function isThere(text: string, place: Place): boolean {
  return valueAt(text, place) !== undefined;
}

function valueAt(text: string, place: Place): unknown {
  let value: unknown = JSON.parse(text);
  for (const name of place) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name))
      return undefined;
    value = Reflect.get(value, name);
  }
  return value;
}
