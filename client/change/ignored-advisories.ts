/** Of `outdated`: the advisories about installed versions, and which of them the project ignores. */
import { z } from 'zod';
import type { Lock } from '../../format/project/lock.ts';
import { ClientError } from '../errors.ts';
import { changeLock } from '../apply/change-lock.ts';
import type { CommandContext, GlobalOptions, Outcome } from '../terminal/command.ts';
import { installedHeads } from '../project/installed-notes.ts';
import { optional } from '../registry/registry.ts';
import { withRegistry } from '../registry/open-registry.ts';
import { chooseProject } from '../project/choose-project.ts';
import { requireLock } from '../project/project.ts';
import { checkedText } from '../publish/checked-text.ts';
import type { Registries } from '../registry/registries.ts';
import { installedAdvisories, type FoundAdvisory } from '../../format/project/found-advisories.ts';
import { oneLine } from '../terminal/printable.ts';
import { span, type StyledText } from '../terminal/styled-text.ts';
import { OsvEntry } from '../../format/advisory/package-advisories.ts';
import { advisoryPath } from '../../format/index/layout.ts';

/** The limit of the lock's schema. */
const MAX_REASON_CHARACTERS = 300;

interface IgnoreOptions extends GlobalOptions {
  readonly reason?: string | undefined;
}

export const AdvisoriesOutput = z.array(
  z.looseObject({
    id: z.string(),
    build: z.string(),
    version: z.string(),
    package: z
      .looseObject({ ecosystem: z.string(), name: z.string(), range: z.string() })
      .optional()
      .describe('The package that the version brings and that it is about; absent: the build.'),
    good: z.string().optional().describe('The first version that no advisory is about.'),
    ignored: z.string().optional().describe('Why the project ignores it.'),
    summary: z
      .string()
      .optional()
      .describe('Absent where the document cannot be read, such as without network.'),
    aliases: z.array(z.string()).optional(),
    severity: z.array(z.looseObject({ type: z.string(), score: z.string() })).optional(),
    references: z.array(z.string()).optional().describe('Addresses.'),
  }),
);

type Output = z.infer<typeof AdvisoriesOutput>[number];
type Described = FoundAdvisory & Pick<Output, 'summary' | 'aliases' | 'severity' | 'references'>;

/** The advisories about the installed versions, with what their documents add. */
export async function describedAdvisories(registry: Registries, lock: Lock): Promise<Described[]> {
  const found = installedAdvisories(lock, await installedHeads(registry, lock));
  return Promise.all(found.map((one) => describe(registry, one)));
}

/** Records in the lock that an advisory is ignored. */
export async function ignoreAdvisory(
  id: string,
  options: IgnoreOptions,
  context: CommandContext,
): Promise<Outcome> {
  const reason = checkedText(options.reason, '--reason', MAX_REASON_CHARACTERS);
  return changeLock(`outdated --ignore ${id}`, options, context, async (before) => {
    const lock = before ?? requireLock(chooseProject(options));
    const heads = await withRegistry(options, lock, context, (registry) => {
      return installedHeads(registry, lock);
    });
    const found = installedAdvisories(lock, heads);
    const named = found.filter((one) => one.id === id).map(({ build }) => build);
    const builds = [...new Set(named)];
    if (builds.length === 0) {
      throw new ClientError('ERR_NOT_INSTALLED', `No installed version has the advisory "${id}"`, {
        hint: '"stackyard outdated" lists those that there are',
      });
    }
    const data = { id, builds, reason };
    const ignored = { ...lock.ignored, [id]: { reason, builds } };
    return {
      lock: { ...lock, ignored },
      data,
      text: [`Ignored: ${id}, about ${builds.join(', ')}`],
    };
  });
}

/** What the document adds; the head is enough where it cannot be read. */
async function describe(registry: Registries, found: FoundAdvisory): Promise<Described> {
  if (found.package !== undefined) return found;
  const { registry: own } = registry.entryOf(found.build);
  const entry = await optional(() => own.about(OsvEntry, advisoryPath(found.id), found.id));
  if (entry === undefined) return found;
  const { summary, aliases, severity, references } = entry;
  return {
    ...found,
    summary,
    aliases: aliases ?? undefined,
    severity: severity ?? undefined,
    references: references?.map(({ url }) => url),
  };
}

function linesOf({
  id,
  build,
  version,
  good,
  ignored,
  summary,
  aliases = [],
  package: about,
}: Described): StyledText[] {
  const others =
    about === undefined ? aliases : [`${about.ecosystem} ${about.name} ${about.range}`];
  const names = others.length === 0 ? '' : ` (${oneLine(others.join(', '))})`;
  const end =
    ignored === undefined
      ? good === undefined
        ? span('bad', 'no good version yet')
        : ['good from ', span('added', good)]
      : ['ignored: ', oneLine(ignored)];
  return [
    [span('strong', build), ' ', span('number', version), `  ${id}${names}  `, ...[end].flat()],
    ...(summary === undefined ? [] : [`  ${oneLine(summary)}`]),
  ];
}

export function advisoryLines(found: readonly Described[]): StyledText[] {
  return found.length === 0 ? [] : [[span('strong', 'Advisories:')], ...found.flatMap(linesOf)];
}

/** One update for each build that has a good version, of the advisories that the project does not ignore. */
export function advisoryUpdates(
  found: readonly FoundAdvisory[],
): { command: string; why: string }[] {
  const open = found.filter(({ ignored }) => ignored === undefined);
  const good = new Map(open.flatMap(({ build, good: first }) => (first ? [[build, first]] : [])));
  return [...good].map(([build, first]) => {
    return { command: `stackyard update ${build}@^${first}`, why: `${first} has no advisory` };
  });
}
