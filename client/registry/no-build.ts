/** The error of a command for a build that the registry does not have. */
import { ClientError } from '../errors.ts';

export function noBuild(id: string, base: string): ClientError {
  return new ClientError('ERR_BUILD_NOT_FOUND', `There is no build "${id}" in ${base}`, {
    hint: `check the id, or look for it: stackyard search ${id.split('/')[1]}`,
  });
}
