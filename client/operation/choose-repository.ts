/** The repository of a registry: from the option, the variable, or the registry's own document. */
import { resolve } from 'node:path';
import type { CommandContext, GlobalOptions } from './command.ts';
import type { RegistryChoice } from './named-registry.ts';
import { withRegistry } from './open-registry.ts';
import { ClientError } from '../errors.ts';
import type { RepositoryAddress } from '../publish/repository-address.ts';
import { parseRepositoryAddress } from '../publish/repository-address.ts';

/** @throws {ClientError} `ERR_NEEDS_ANSWER` when none of these names it */
export async function chooseRepository(
  options: GlobalOptions & RegistryChoice & { readonly repository?: string | undefined },
  context: CommandContext,
): Promise<RepositoryAddress> {
  const named = process.env['STACKYARD_REPOSITORY'] ?? '';
  if (options.repository !== undefined) {
    return parseRepositoryAddress(options.repository, resolve(options.cwd));
  }
  if (named !== '' && options.isNamed !== true) return parseRepositoryAddress(named, resolve('.'));
  const published = await withRegistry(options, undefined, context, async (registry) => {
    try {
      const repository = (await registry.defaultRegistry.info())?.repository;
      return { repository, isLocal: registry.defaultRegistry.isLocal };
    } catch (error) {
      if (error instanceof ClientError && error.code !== 'ERR_LOG') return undefined;
      throw error;
    }
  });
  const { repository, isLocal = false } = published ?? {};
  // A path is on this machine, so that only a registry on this machine may choose it.
  const isUsable = repository !== undefined && (isLocal || /^(?:https|ssh):\/\//.test(repository));
  if (isUsable) return parseRepositoryAddress(repository, resolve('.'));
  throw new ClientError('ERR_NEEDS_ANSWER', 'The repository of the registry is unknown', {
    hint: 'give its address with --repository, or in STACKYARD_REPOSITORY',
  });
}
