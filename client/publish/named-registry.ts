/** The registry that a request names by its name in the project. */
import { ClientError } from '../errors.ts';
import { lockIfAny } from '../project/project.ts';
import { formatRequest, parseRegistryRequest } from '../resolve/request.ts';
import type { GlobalOptions } from '../terminal/command.ts';

/** Options of a command on one registry. */
export interface RegistryChoice {
  /** The registry was named: its own repository counts, and not the one of the environment. */
  readonly isNamed?: boolean;
}

/**
 * The request without the name of a registry, and the options with its address.
 * @throws {ClientError} `ERR_USAGE` for a name that the project does not have
 */
export function withNamedRegistry<Options extends GlobalOptions>(
  text: string,
  options: Options,
): { readonly request: string; readonly options: Options & RegistryChoice } {
  const { registry: name, ...request } = parseRegistryRequest(text);
  if (name === undefined) return { request: text, options };
  if (options.registry !== undefined) {
    throw new ClientError('ERR_USAGE', `"${text}" names a registry, and so does --registry`, {
      hint: `leave out --registry, or "${name}:"`,
    });
  }
  const known = lockIfAny(options)?.registries ?? {};
  const address = Object.hasOwn(known, name) ? known[name]?.address : undefined;
  if (address === undefined) {
    throw new ClientError('ERR_USAGE', `This project has no registry "${name}"`, {
      hint: '"stackyard registry list" prints the names; elsewhere give the address with --registry',
    });
  }
  const named = { ...options, registry: address, isNamed: true };
  return { request: formatRequest(request), options: named };
}
