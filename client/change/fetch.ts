/** Fetches what a change needs: chooses versions, and downloads and verifies builds. Writes nothing. */
import type { Lock } from '../../format/project/lock.ts';
import { ClientError } from '../errors.ts';
import type { Change, Warning } from '../plan/plan.ts';
import { conflictWarnings } from '../project/open-conflicts.ts';
import { fetchInstalled } from './fetch-builds.ts';
import { followMoves } from '../search/follow-moves.ts';
import type { Registries } from '../registry/registries.ts';
import { offeredForTags } from '../search/stack-hint.ts';
import type { ProjectAsk } from './ask.ts';
import { fetchAddition, type Fetching } from './fetch-addition.ts';
import { fetchUpdate, notesOnRest } from './fetch-update.ts';
import { explained } from './fit.ts';
import { unchanged } from './unchanged.ts';

/**
 * @returns without builds where the project has what is asked for
 * @throws {ClientError} those of the registry and the resolver; `ERR_KIND`, `ERR_NOT_INSTALLED`, `ERR_USAGE`
 */
export async function fetchChange(
  ask: ProjectAsk,
  { project, lock }: Pick<Fetching, 'project' | 'lock'>,
  registry: Registries,
): Promise<Change> {
  const { command, requests, local } = ask;
  if (local.size > 0) registry.layOver(local);
  if (lock !== undefined && command === 'wire') return fetchWiring(ask, lock, registry);
  if (lock !== undefined && command === 'update') {
    const change = await fetchUpdate(ask, { project, lock, registry });
    const notes = local.size === 0 ? await notesOnRest(registry, lock, change) : ownerNotes(ask);
    const warnings = [...change.warnings, ...notes, ...conflictWarnings(project, lock)];
    return { ...change, warnings };
  }
  const { requests: moved, notes } =
    local.size === 0 ? await followMoves(registry, requests, lock) : { requests, notes: [] };
  const wanted = { ...ask, requests: moved };
  const known = { project, lock, registry, notes: [...notes, ...ownerNotes(ask)] };
  try {
    return await fetchAddition(wanted, known);
  } catch (error) {
    throw ask.explains === true ? await explained(error, wanted, known) : error;
  }
}

/** The installed builds whose steps are carried out. */
async function fetchWiring(
  { requests, choices }: ProjectAsk,
  lock: Lock,
  registry: Registries,
): Promise<Change> {
  const ids = [...new Set(requests.map(({ id }) => id))];
  const wired = await fetchInstalled(registry, lock, ids);
  const providers = await offeredForTags(registry, wired, lock);
  const without = wired.filter(({ wiredGuide }) => wiredGuide === undefined).map(({ id }) => id);
  if (without.length > 0) {
    throw new ClientError(
      'ERR_USAGE',
      `The guide of ${without.join(', ')} has no step to carry out`,
      { hint: `read its steps with "stackyard info ${without[0]} --integration"` },
    );
  }
  return { ...unchanged('wire', lock, { ...choices, wire: ids }), wired, providers };
}

/** Without its owner, a build never becomes a published one by an update. */
function ownerNotes({ local }: ProjectAsk): Warning[] {
  return [...local.keys()]
    .filter((id) => id.startsWith('local/'))
    .map((id): Warning => {
      const message = `"${id}" has the owner "local": with --owner <login>, "stackyard update" replaces it by the published version`;
      return { code: 'local-owner', message, path: '' };
    });
}
