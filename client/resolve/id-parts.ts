/** The parts of an id that a user gives alone. Pure. */
import { isBuildName, isOwner } from '../../format/build/build-id.ts';
import { isFilePath } from '../../format/build/file-path.ts';
import { ClientError } from '../errors.ts';

/** `text`, which is an owner, in lower case. @throws {ClientError} `ERR_USAGE` */
export function parseOwner(text: string): string {
  if (isOwner(text)) return text;
  throw new ClientError('ERR_USAGE', `${JSON.stringify(text)} is not an owner`, {
    hint: 'an owner is a login at the code host: at most 39 of a-z, 0-9 and "-", no "-" at either end',
  });
}

/** `text`, which is the name of a new build. @throws {ClientError} `ERR_USAGE` */
export function parseBuildName(text: string): string {
  if (isBuildName(text) && isFilePath(text)) return text;
  throw new ClientError('ERR_USAGE', `${JSON.stringify(text)} is not a build name`, {
    hint: 'use 1 to 50 of a-z, 0-9 and "-", no "-" at either end, and no device of Windows such as "con"',
  });
}
