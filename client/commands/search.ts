/** `search`: builds of the registry by words and tags, best first. */
import type { BuildSummary } from '../../format/catalog.ts';
import { ClientError } from '../errors.ts';
import { KnownHeads } from '../known-heads.ts';
import { chooseProject } from '../choose-project.ts';
import { readLock } from '../project.ts';
import type { Registry } from '../registry.ts';
import { searchCatalog } from '../search/search-catalog.ts';
import { readStack } from '../stack.ts';
import { oneLine } from '../terminal.ts';
import type { AgeOptions } from '../version-age.ts';
import { parseAge } from '../version-age.ts';
import type { CommandContext, GlobalOptions, Outcome } from './command.ts';
import { withRegistry } from './open-registry.ts';

export interface SearchOptions extends GlobalOptions, AgeOptions {
  readonly kind: 'module' | 'foundation' | undefined;
  /** Stack tags that a build must provide. */
  readonly provides: readonly string[] | undefined;
  /** Stack tags that a build must require. */
  readonly requires: readonly string[] | undefined;
  /** Only what could be installed into the project. */
  readonly fits: boolean;
  readonly limit: number;
}

/** How many of the best are looked at to see whether they fit. */
const MAX_FITTED = 200;
const PARALLEL_FITS = 8;

/** @throws {ClientError} `ERR_USAGE` without words and filters, and those of the registry */
export async function search(
  words: readonly string[],
  options: SearchOptions,
  context: CommandContext,
): Promise<Outcome> {
  const { kind, provides = [], requires = [], fits, limit } = options;
  if (words.length === 0 && kind === undefined && provides.length + requires.length === 0) {
    throw new ClientError('ERR_USAGE', 'There is nothing to search for', {
      hint: 'give words, --kind, --provides or --requires, such as "stackyard search sqlite"',
    });
  }
  const lock = fits ? readLock(chooseProject(options)) : undefined;
  return withRegistry(options, lock, context, async (registry) => {
    const hits = await searchCatalog(registry, {
      words: words.join(' '),
      keep: fits ? Math.max(limit, MAX_FITTED) : limit,
      admits: (build) =>
        (kind === undefined || build.kind === kind) &&
        provides.every((tag) => build.provides.includes(tag)) &&
        requires.every((tag) => Object.hasOwn(build.requires, tag)),
    });
    const builds = fits ? await fitting(registry, hits.builds, options) : hits.builds;
    const shown = builds.slice(0, limit);
    const { corrected } = hits;
    return {
      status: 'done',
      data: { builds: shown, total: fits ? builds.length : hits.total, corrected },
      text: describe(shown, fits ? builds.length : hits.total, corrected),
    };
  });
}

/** The builds of which the resolver finds a version for the project, in their order, `limit` at most. */
async function fitting(
  registry: Registry,
  builds: readonly BuildSummary[],
  options: SearchOptions,
): Promise<BuildSummary[]> {
  const project = chooseProject(options);
  const locked = new Map(Object.entries(readLock(project)?.builds ?? {}));
  const stack = await readStack(project, process.versions.node);
  const known = new KnownHeads(registry, parseAge(options, Date.now()), locked);
  const found: BuildSummary[] = [];
  for (let at = 0; at < builds.length && found.length < options.limit; at += PARALLEL_FITS) {
    const part = builds.slice(at, at + PARALLEL_FITS);
    const resolved = await Promise.all(
      part.map(({ id }) => {
        return known.resolve({ requests: [{ id, range: undefined }], locked, stack });
      }),
    );
    // A foundation starts a project: it is never added to one.
    found.push(...part.filter((b, n) => b.kind === 'module' && resolved[n]!.kind === 'solved'));
  }
  return found;
}

function describe(
  builds: readonly BuildSummary[],
  total: number,
  corrected: string | undefined,
): string[] {
  if (builds.length === 0) return ['No build was found'];
  const lines =
    corrected === undefined ? [] : [`Nothing has these words; found for "${corrected}":`];
  for (const build of builds) {
    const state = build.yanked ? '  yanked' : build.deprecated ? '  deprecated' : '';
    const { success, failure } = build.agent_reports;
    lines.push(
      `${build.id} ${build.latest}  ${build.kind}, risk ${build.risk}, quality ${build.quality}, ` +
        `${build.downloads} downloads, ${success} of ${success + failure} reports good${state}`,
      `  ${oneLine(build.description)}`,
    );
  }
  if (total > builds.length) lines.push(`${total - builds.length} more: --limit ${total}`);
  return lines;
}
