/**
 * Which accounts at the code host publish for an owner, by the owner file of the newest commit: what they say of their own builds does
 * not count. A maintainer who is named by login alone has no number to compare.
 */
import { MAX_MANIFEST_BYTES } from '../../format/build/manifest-json.ts';
import { documentOrError } from '../../format/document/document.ts';
import { OwnerFile } from '../../format/registry/owner-file.ts';
import { ownerFilePath } from '../../format/registry/repository-layout.ts';
import { layoutAt } from '../git/builds-entries.ts';
import type { ObjectReader } from '../git/object-reader.ts';
import type { Repository } from '../git/repository.ts';

/**
 * The accounts as statements write them, `host:<id>`, by owner.
 * @throws {GeneratorError} `ERR_GIT`
 */
export async function publisherAccounts(
  repository: Repository,
  reader: ObjectReader,
  owners: Iterable<string>,
): Promise<Map<string, ReadonlySet<string>>> {
  const all = [...new Set(owners)];
  const { head } = repository;
  const layout = await layoutAt(reader, head);
  const files = all.map((owner) =>
    reader.read(`${head}:${ownerFilePath(owner, layout)}`, { left: MAX_MANIFEST_BYTES }),
  );
  const objects = await Promise.all(files);
  return new Map(all.map((owner, at) => [owner, accountsIn(objects[at]?.bytes)]));
}

function accountsIn(bytes: Uint8Array | undefined): ReadonlySet<string> {
  const read = documentOrError(OwnerFile, bytes ?? new Uint8Array(), 'the owner file');
  // One that cannot be read names no account; the gate and the generator report it to its owner.
  const { account_id: own, maintainers = [] } = read instanceof Error ? {} : read;
  const ids = maintainers.map((one) => (typeof one === 'string' ? undefined : one.account_id));
  return new Set([own, ...ids].flatMap((id) => (id === undefined ? [] : [`host:${id}`])));
}
