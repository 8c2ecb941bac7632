/** What clients say about a version that was withdrawn completely: why, and which one to take instead. Pure. */
import type { Head } from './head.ts';

/** `undefined` for a version that was not withdrawn. The reason is text of the owner. */
export function withdrawnProblem(
  { id, latest, versions }: Pick<Head, 'id' | 'latest' | 'versions'>,
  version: string,
): { readonly text: string; readonly hint: string } | undefined {
  const own = versions.find((one) => one.version === version);
  if (own?.withdrawn !== true) return undefined;
  const isLeft = versions.some((one) => one.version === latest && one.yanked === false);
  return {
    text: `"${id}" ${version} was withdrawn: ${JSON.stringify(own.yanked)}`,
    hint: isLeft
      ? `its tarball is gone: use ${id}@${latest}`
      : 'its tarball is gone, and the build has no other version: use another build',
  };
}
