/** Plans an `add` that names folders, tarballs or addresses as well as ids of builds. Writes nothing. */
import { isPrerelease } from '../../format/version/semver-range.ts';
import { ClientError } from '../errors.ts';
import type { LocalBuild } from '../local/local-build.ts';
import { openLocalBuild } from '../local/local-build.ts';
import { overlaid } from '../local/overlay.ts';
import { isLocalSource, sourceInLock } from '../local/source-text.ts';
import type { ImportStyle, MadePlan, Warning } from '../plan/plan.ts';
import { parseOwner } from '../publish/id-parts.ts';
import type { BuildRequest } from '../resolve/request.ts';
import { parseRegistryRequest } from '../resolve/request.ts';
import type { CommandContext } from './command.ts';
import { planInstall } from './plan-install.ts';
import type { InstallInput } from './plan-install.ts';
import { parsePlacement } from './placement-folder.ts';
import { placingOf } from './placing-wish.ts';
import { planUpdate } from './plan-update.ts';

export interface LocalChoice {
  /** The owner under which the builds will be published. */
  readonly owner?: string | undefined;
  /** The digest of the only tarball. */
  readonly integrity?: string | undefined;
  /** Folder of the project for the build. */
  readonly to?: string | undefined;
  /** Folders that were chosen for single builds, by id. */
  readonly places?: Readonly<Record<string, string>>;
  readonly imports?: ImportStyle | undefined;
}

/**
 * @param folder of relative paths
 * @returns `undefined` when everything is installed as it is
 * @throws {ClientError} those of the builds, the resolver and the plan
 */
export async function planLocal(
  texts: readonly string[],
  folder: string,
  choice: LocalChoice,
  input: Omit<InstallInput, 'requests' | 'sources' | 'placing'>,
  { ask, signal }: CommandContext,
): Promise<MadePlan | undefined> {
  const { project, lock } = input;
  const places = texts.filter(isLocalSource);
  if (places.length > 1 && choice.integrity !== undefined) {
    throw new ClientError('ERR_USAGE', 'Option --integrity is for one tarball', {
      hint: 'add the builds one after another',
    });
  }
  const owner = choice.owner === undefined ? undefined : parseOwner(choice.owner);
  const builds = new Map<string, LocalBuild>();
  const requests: BuildRequest[] = [];
  for (const text of texts) {
    if (!isLocalSource(text)) {
      requests.push(parseRegistryRequest(text));
      continue;
    }
    const place = { source: sourceInLock(text, folder, project), project, signal };
    const build = await openLocalBuild(place, { owner, wanted: choice.integrity }, ask);
    if (builds.has(build.id)) throw twice(build, builds.get(build.id)!);
    builds.set(build.id, build);
    requests.push(requestOf(build));
  }
  const sources = new Map([...builds].map(([id, { source }]) => [id, source]));
  const registry = overlaid(input.registry, { builds, installed: async () => undefined });
  const to = { ...Object.fromEntries(parsePlacement(requests, choice.to)), ...choice.places };
  const placing = await placingOf(project, lock, { to, imports: choice.imports });
  const installed = requests.filter(({ id }) => lock?.builds[id] !== undefined);
  if (lock === undefined || installed.length === 0) {
    return withOwnerNote(
      await planInstall({ ...input, registry, requests, sources, placing }),
      builds,
    );
  }
  if (installed.length < requests.length) throw mixed(installed[0]!.id);
  const { onExists: _, ...common } = input;
  const change = {
    ...common,
    lock,
    registry,
    requests,
    sources,
    placing,
    latest: true,
    restore: false,
  };
  const onExistsAt = input.onExistsAt ?? new Map();
  const made = await planUpdate({ ...change, onExistsAt, onConflict: 'fail' });
  return made === undefined ? undefined : withOwnerNote(made, builds);
}

/** The highest version is the only one; a prerelease is chosen by its name alone. */
function requestOf({ id, head }: LocalBuild): BuildRequest {
  return { id, range: isPrerelease(head.latest) ? head.latest : undefined };
}

/** Without its owner, a build never becomes a published one by an update. */
function withOwnerNote(made: MadePlan, builds: ReadonlyMap<string, LocalBuild>): MadePlan {
  const notes = [...builds.keys()]
    .filter((id) => id.startsWith('local/'))
    .map((id): Warning => {
      const message = `"${id}" has the owner "local": with --owner <login>, "stackyard update" replaces it by the published version`;
      return { code: 'local-owner', message, path: '' };
    });
  return { ...made, plan: { ...made.plan, warnings: [...made.plan.warnings, ...notes] } };
}

function twice({ id, source }: LocalBuild, other: LocalBuild): ClientError {
  return new ClientError('ERR_USAGE', `"${source}" and "${other.source}" are both "${id}"`, {
    hint: 'give one of them',
  });
}

function mixed(id: string): ClientError {
  return new ClientError('ERR_USAGE', `"${id}" is installed already, and other builds are not`, {
    hint: `replace it by the local one on its own, then add the others`,
  });
}
