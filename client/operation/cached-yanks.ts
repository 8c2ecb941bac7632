/** The yanks of installed versions as far as the cache knows them: without network, and without an error when it has nothing. */
import type { Lock } from '../../format/lock.ts';
import { ClientError } from '../errors.ts';
import type { Warning } from '../plan/plan.ts';
import type { CommandContext, GlobalOptions } from './command.ts';
import { installedHeads, yankedNotes } from './installed-notes.ts';
import { openRegistries } from './open-registry.ts';

/** A warning for each, sorted by id. */
export async function cachedYanks(
  options: GlobalOptions,
  lock: Lock,
  context: CommandContext,
): Promise<Warning[]> {
  try {
    const registry = await openRegistries({ ...options, offline: true }, lock, context);
    try {
      return yankedNotes(lock, await installedHeads(registry, lock));
    } finally {
      await registry.set.close();
    }
  } catch (error) {
    // The lock may name an address that no command would use: what is installed can be verified all the same.
    if (error instanceof ClientError) return [];
    throw error;
  }
}
