/**
 * Ids that a user gave by their name alone, written out:
 *
 *     sqlite  sqlite@^1.0.0  corp:sqlite        stackyard/sqlite  stackyard/sqlite@^1.0.0  corp:acme/sqlite
 *
 * A name means the installed build that has it, otherwise the only build of the registries. What it was taken for is printed.
 */
import { isBuildId } from '../../format/build/build-id.ts';
import type { Manifest } from '../../format/build/manifest.ts';
import { nearest } from '../../format/command/command.ts';
import { ClientError } from '../errors.ts';
import type { CommandContext, GlobalOptions } from '../terminal/command.ts';
import { withRegistry } from '../registry/open-registry.ts';
import { lockIfAny } from '../project/project.ts';

/** Candidates that a message lists. */
const MAX_LISTED = 8;

interface ShortId {
  readonly registry: string | undefined;
  readonly name: string;
  /** `@^1.0.0`, or empty. */
  readonly range: string;
}

/**
 * `texts` with full ids. Without a short one, nothing is read.
 * @param kind of the builds that are meant; `undefined` where any is. Others are meant where there are none of it
 * @throws {ClientError} `ERR_USAGE` for a name of several builds, `ERR_BUILD_NOT_FOUND` for one of none
 */
export async function fullIds(
  texts: readonly string[],
  kind: Manifest['kind'] | undefined,
  options: GlobalOptions,
  context: CommandContext,
): Promise<string[]> {
  const full: string[] = [];
  for (const text of texts) {
    const short = parseShort(text);
    full.push(short === undefined ? text : await fullId(text, short, kind, options, context));
  }
  return full;
}

/**
 * `texts` with the full ids of installed builds.
 * @param isOther whether a name that none has may be of something else, and stays
 * @throws {ClientError} `ERR_USAGE` for a name of several builds, `ERR_NOT_INSTALLED` for one of none
 */
export function installedIds(
  texts: readonly string[],
  options: GlobalOptions,
  context: CommandContext,
  isOther = false,
): string[] {
  return texts.map((text) => {
    const short = parseShort(text);
    const found = short && installedId(text, short, options, context);
    if (found !== undefined || short === undefined || isOther) return found ?? text;
    const installed = Object.keys(lockIfAny(options)?.builds ?? {});
    throw new ClientError('ERR_NOT_INSTALLED', `No installed build has the name "${short.name}"`, {
      hint: `${meant(short, installed)}"stackyard list" prints the installed builds`,
    });
  });
}

function parseShort(text: string): ShortId | undefined {
  const [, registry, name = '', range = ''] =
    /^(?:([^@:/\\]+):)?([^@:/\\]+)(@.*)?$/s.exec(text) ?? [];
  return isBuildId(`any/${name}`) ? { registry, name, range } : undefined;
}

function installedId(
  text: string,
  short: ShortId,
  options: GlobalOptions,
  context: CommandContext,
): string | undefined {
  const builds = Object.entries(lockIfAny(options)?.builds ?? {});
  const ids = builds
    .filter(([id, build]) => {
      const isThere = short.registry === undefined || short.registry === build.registry;
      return isThere && nameOf(id) === short.name;
    })
    .map(([id]) => id);
  return ids.length === 0 ? undefined : taken(text, short, ids, context);
}

async function fullId(
  text: string,
  short: ShortId,
  kind: Manifest['kind'] | undefined,
  options: GlobalOptions,
  context: CommandContext,
): Promise<string> {
  const installed = installedId(text, short, options, context);
  if (installed !== undefined) return installed;
  const lock = lockIfAny(options);
  const known: string[] = [];
  const found = await withRegistry(
    options,
    lock,
    context,
    async (registries) => {
      // Most calls have whole ids, and the search loads much.
      const { searchRegistries } = await import('./search-registries.ts');
      const { builds } = await searchRegistries(registries, {
        words: '',
        keep: MAX_LISTED * 4,
        admits: ({ id, yanked }) => {
          if (!yanked) known.push(id);
          return !yanked && nameOf(id) === short.name;
        },
      });
      return builds;
    },
    'reading',
  );
  const there = found.filter(
    ({ registry }) => short.registry === undefined || registry === short.registry,
  );
  const wanted = there.filter((build) => build.kind === kind);
  const ids = (wanted.length === 0 ? there : wanted).map(({ id }) => id);
  if (ids.length > 0) return taken(text, short, ids, context);
  throw new ClientError('ERR_BUILD_NOT_FOUND', `No build has the name "${short.name}"`, {
    hint: `${meant(short, known)}look for it: stackyard search ${short.name}; an id is written <owner>/<name>`,
  });
}

/** `did you mean stackyard/sqlite? `, before another hint; empty where no id of `known` has a name that is near. */
function meant({ name }: ShortId, known: readonly string[]): string {
  const near = nearest(name, known.map(nameOf));
  const id = known.find((one) => nameOf(one) === near);
  return id === undefined ? '' : `did you mean ${id}? `;
}

function taken(
  text: string,
  { registry, range }: ShortId,
  ids: readonly string[],
  { terminal }: CommandContext,
): string {
  const [id = '', ...others] = [...new Set(ids)].sort();
  const prefix = registry === undefined ? '' : `${registry}:`;
  if (others.length === 0) {
    terminal.message(`"${text}" is ${prefix}${id}${range}`);
    return `${prefix}${id}${range}`;
  }
  const all = [id, ...others];
  const more = all.length > MAX_LISTED ? ` and ${all.length - MAX_LISTED} others` : '';
  const listed = `${all.slice(0, MAX_LISTED).join(', ')}${more}`;
  throw new ClientError('ERR_USAGE', `"${text}" may be each of ${listed}`, {
    hint: `write the one that you want: ${prefix}${id}${range}`,
  });
}

function nameOf(id: string): string {
  return id.slice(id.indexOf('/') + 1);
}
