/** Tarballs that cannot be used: other bytes, or none. */
import { integrityOf } from '../../format/archive/integrity.ts';
import type { Head } from '../../format/index/head.ts';
import { withdrawnProblem } from '../../format/index/withdrawn-version.ts';
import { ClientError } from '../errors.ts';
import { badAnswer } from './network/fetcher.ts';
import { isHtml } from './network/is-html.ts';

/** The bytes `found` at `url` are not those that the head lists. */
export function otherTarball(
  { id, version, integrity }: Readonly<Record<'id' | 'version' | 'integrity', string>>,
  found: Uint8Array,
  url: string,
): ClientError {
  const what = isHtml(found) ? 'an HTML page' : integrityOf(found);
  return new ClientError(
    'ERR_INTEGRITY',
    `Cannot use "${id}" ${version}: the tarball from ${url} is ${what}, not ${integrity}`,
    {
      hint: 'the download was altered or cut, or a login page answers instead; try again, and report it to the registry if it happens again',
    },
  );
}

/** No address has the tarball at `url`: that of a withdrawn version is gone permanently. */
export function missingTarball(head: Head | undefined, version: string, url: string): ClientError {
  const withdrawn = head && withdrawnProblem(head, version);
  if (withdrawn === undefined) return badAnswer(url, 'the head lists it and it is missing');
  return new ClientError('ERR_VERSION_NOT_FOUND', withdrawn.text, { hint: withdrawn.hint });
}
