/** The yanks and advisories of installed versions as far as the cache knows them: without network, and without an error when it has nothing. */
import type { Lock } from '../../format/lock/lock.ts';
import { ClientError } from '../errors.ts';
import type { Warning } from '../plan/plan.ts';
import type { CommandContext, GlobalOptions } from './command.ts';
import { advisoryNotes, installedHeads, yankedNotes } from './installed-notes.ts';
import { openRegistries } from './open-registry.ts';

/** A warning for each, sorted by id. */
export async function cachedNotes(
  options: GlobalOptions,
  lock: Lock,
  context: CommandContext,
): Promise<Warning[]> {
  try {
    const registry = await openRegistries({ ...options, offline: true }, lock, context);
    try {
      const heads = await installedHeads(registry, lock);
      return [...yankedNotes(lock, heads), ...advisoryNotes(lock, heads)];
    } finally {
      await registry.set.close();
    }
  } catch (error) {
    // The lock may name an address that no command would use: what is installed can be verified all the same.
    if (error instanceof ClientError) return [];
    throw error;
  }
}
