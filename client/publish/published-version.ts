/** Looks up a published version, `<owner>/<name>@<version>`, that a statement or a yank is about. */
import { isVersion } from '../../format/version/version.ts';
import type { Head } from '../../format/index/record.ts';
import type { CommandContext, GlobalOptions } from '../terminal/command.ts';
import { withRegistry } from '../registry/open-registry.ts';
import {
  chooseVersion,
  parseRequest,
  formatRequest,
  parseRegistryRequest,
} from '../resolve/request.ts';
import { ClientError } from '../errors.ts';
import { noBuildNear } from '../registry/search-catalog.ts';
import type { PublishedVersion } from './code-host.ts';
import { lockIfAny } from '../project/project.ts';

/** @throws {ClientError} `ERR_USAGE`, `ERR_BUILD_NOT_FOUND`, `ERR_VERSION_NOT_FOUND`, and those of the registry */
export async function publishedVersion(
  request: string,
  options: GlobalOptions,
  context: CommandContext,
): Promise<PublishedVersion> {
  const { id, range } = parseRequest(request);
  if (range === undefined || !isVersion(range)) {
    throw new ClientError('ERR_USAGE', `"${request}" names no version`, {
      hint: `write the exact version, such as ${id}@1.0.0`,
    });
  }
  const head = await publishedHead(id, options, context);
  const { version, integrity } = chooseVersion(id, head.versions, head.latest, range);
  if (version !== range) {
    throw new ClientError('ERR_VERSION_NOT_FOUND', `There is no version ${range} of "${id}"`, {
      hint: `the registry has ${head.versions
        .map((one) => one.version)
        .join(', ')
        .slice(0, 200)}`,
    });
  }
  const [owner = '', name = ''] = id.split('/');
  return { id, owner, name, version, integrity };
}

/** @throws {ClientError} `ERR_BUILD_NOT_FOUND` */
export async function publishedHead(
  id: string,
  options: GlobalOptions,
  context: CommandContext,
): Promise<Head> {
  return withRegistry(options, undefined, context, async (registry) => {
    const head = await registry.head(id);
    if (head === undefined) throw await noBuildNear(registry, id);
    return head;
  });
}

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
