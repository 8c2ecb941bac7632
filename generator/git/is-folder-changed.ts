/** Whether a folder of the repository may differ between an indexed commit and the head. */
import type { ObjectReader } from './object-reader.ts';
import type { Repository } from './repository.ts';

/** @param since an indexed commit; without it the folder counts as changed where there is one */
export async function isFolderChanged(
  { head }: Repository,
  reader: ObjectReader,
  folder: string,
  since: string | undefined,
): Promise<boolean> {
  const commits = since === undefined ? [head] : [head, since];
  const [now, before] = await reader.readAll(commits.map((one) => `${one}:${folder}`));
  return now?.oid !== before?.oid;
}
