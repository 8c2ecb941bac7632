/** `search`: finds builds of the registry by words and tags, best first. */
import { z } from 'zod';
import { RegistryOf, define, flag } from '../terminal/options.ts';
import type { BuildSummary } from '../../format/index/record.ts';
import { compareText } from '../../format/compare-text.ts';
import { chooseProject } from '../project/choose-project.ts';
import { readLock, lockIfAny } from '../project/project.ts';
import { unreachable } from '../change/lock-registries.ts';
import type { CommandContext, GlobalOptions, Outcome } from '../terminal/command.ts';
import type { Registries } from '../registry/registries.ts';
import { oneLine } from '../terminal/printable.ts';
import { riskRole, span, type StyledText } from '../terminal/styled-text.ts';
import { withRegistry } from '../registry/open-registry.ts';
import {
  fittingBuilds,
  MAX_FITTED,
  searchRegistries,
  type FittingBuild,
} from '../search/search-registries.ts';

const COUNT = 'give a number from 1 to 99999';

const Input = z.object({
  words: z
    .array(z.string())
    .default([])
    .meta({
      description:
        'in name, tags and description; kind:module, provides:<tag> and requires:<tag> limit the builds',
      isArgument: true,
      suggests: ['kind:module', 'kind:foundation'],
    }),
  fits: flag('only modules that could be added to the project'),
  limit: z
    .int(COUNT)
    .min(1, COUNT)
    .max(99_999, COUNT)
    .default(20)
    .meta({ description: 'how many to show', placeholder: 'count' }),
});

type SearchOptions = GlobalOptions & Omit<z.infer<typeof Input>, 'words'>;

const NONE = ['No build was found'] as const;

/** Builds that a search without criteria lists as the newest. */
const NEWEST = 5;

/** Without any criterion, lists the best and the newest builds. @throws {ClientError} those of the registry */
export async function search(
  words: readonly string[],
  options: SearchOptions,
  context: CommandContext,
): Promise<Outcome> {
  const { fits, limit } = options;
  const project = fits ? chooseProject(options) : undefined;
  const lock = project === undefined ? lockIfAny(options) : readLock(project);
  const look = async (registry: Registries): Promise<Outcome> => {
    if (words.length === 0 && !fits) return bestAndNewest(registry, limit);
    const found = await searchRegistries(registry, {
      words: words.join(' '),
      keep: fits ? Math.max(limit, MAX_FITTED) : limit,
      admits: () => true,
    });
    const { builds, total, corrected, note } = found;
    const warnings = unreachable(found.unreachable);
    const head = note === undefined ? [] : [oneLine(note)];
    if (project === undefined) {
      const more = total > builds.length ? [`${total - builds.length} more: --limit ${total}`] : [];
      const text = builds.length === 0 ? NONE : [...head, ...builds.flatMap(describe), ...more];
      return { status: 'done', data: { builds, total, corrected, note }, warnings, text };
    }
    const fitting = await fittingBuilds(builds, registry, project, lock, limit);
    const { lookedAt } = fitting;
    const data = { builds: fitting.builds, total: fitting.builds.length, corrected, note };
    const text: StyledText[] =
      fitting.builds.length === 0 ? [noneFits(total)] : fitting.builds.flatMap(describe);
    if (total > lookedAt)
      text.push(`${total - lookedAt} were not tried: ${wayToRest(limit, fitting.builds.length)}`);
    const shownHead = fitting.builds.length === 0 ? [] : head;
    return {
      status: 'done',
      data: { ...data, matching: total, looked_at: lookedAt },
      warnings,
      text: [...shownHead, ...text],
    };
  };
  return withRegistry(options, lock, context, look, project === undefined ? 'reading' : 'project');
}

async function bestAndNewest(registry: Registries, limit: number): Promise<Outcome> {
  let newest: BuildSummary[] = [];
  const { builds, total } = await searchRegistries(registry, {
    words: '',
    keep: limit,
    admits: (build) => {
      // The catalog may be read again when it changes meanwhile.
      const others = newest.filter(({ id }) => id !== build.id);
      if (!build.yanked && !build.deprecated)
        newest = [...others, build].sort(byTime).slice(0, NEWEST);
      return true;
    },
  });
  if (builds.length === 0) {
    return {
      status: 'done',
      data: { builds, total, newest },
      text: ['The registry has no builds'],
    };
  }
  const more = total > builds.length ? [`${total - builds.length} more: --limit ${total}`] : [];
  const text: StyledText[] = [[span('strong', 'Best:')], ...builds.flatMap(describe), ...more];
  const isNews = newest.some(({ id }) => !builds.some((build) => build.id === id));
  if (isNews) text.push([span('strong', 'Newest:')], ...newest.flatMap(describe));
  return { status: 'done', data: { builds, total, newest }, text };
}

function byTime(a: BuildSummary, b: BuildSummary): number {
  return compareText(b.updated_at, a.updated_at) || compareText(a.id, b.id);
}

function noneFits(matching: number): string {
  if (matching === 0) return NONE[0];
  return `None of ${matching} found could be added to this project: "stackyard add <build> --dry-run" shows why`;
}

/** How to see more when not all builds were tried. */
function wayToRest(limit: number, found: number): string {
  return found === limit
    ? `--limit ${limit * 5}`
    : 'narrow the search with words, such as provides:<tag>';
}

function describe(
  build: (BuildSummary | FittingBuild) & { readonly registry?: string },
): StyledText[] {
  const state = build.yanked ? '  yanked' : build.deprecated ? '  deprecated' : '';
  const { success, failure } = build.agent_reports;
  const version = 'version' in build ? build.version : build.latest;
  const place = build.registry === undefined ? '' : ` from ${build.registry}`;
  return [
    [
      span('strong', build.id),
      ' ',
      span('number', version),
      `${place}  ${build.kind}, risk `,
      span(riskRole(build.risk), build.risk),
      `, quality ${build.quality}, ${build.downloads} downloads, ${success} of ${success + failure} reports good`,
      span('bad', state),
      versionNote(build),
    ],
    `  ${oneLine(build.description)}`,
    ...('language' in build ? (build.language ?? []) : []).map((note): StyledText => [
      '  ',
      span('changed', 'needs care:'),
      ` ${oneLine(note)}`,
    ]),
  ];
}

function versionNote(build: BuildSummary | FittingBuild): string {
  if (!('version' in build)) return '';
  if (build.installed) return '  installed';
  return build.version === build.latest ? '' : `  newest that fits (latest is ${build.latest})`;
}

export const command = define({
  description: 'Finds builds that have all the words, best first: in name, tags and description',
  input: Input,
  output: z.looseObject({
    builds: z.array(
      z.looseObject({
        id: z.string(),
        latest: z.string(),
        kind: z.enum(['module', 'foundation']),
        description: z.string(),
        version: z
          .string()
          .optional()
          .describe('With --fits: the newest version that fits, or the one that is installed.'),
        installed: z.boolean().optional().describe('With --fits.'),
        language: z
          .array(z.string())
          .optional()
          .describe('With --fits: what the settings of the project do not give to its code.'),
        ...RegistryOf,
      }),
    ),
    total: z.int().describe('How many there are; with --fits, how many were found to fit.'),
    matching: z
      .int()
      .optional()
      .describe('With --fits: how many there are, whether they fit or not.'),
    looked_at: z.int().optional().describe('With --fits: how many of these were tried.'),
    newest: z
      .array(z.looseObject({ id: z.string(), latest: z.string() }))
      .optional()
      .describe('Without any criterion: the builds that changed last.'),
    corrected: z
      .string()
      .optional()
      .describe('The words that were searched for instead, where no build has one of the given.'),
    note: z
      .string()
      .optional()
      .describe('What the builds lack of the words as they were given: a sentence to show.'),
  }),
  examples: ['search sqlite kind:module --fits -C my-app'],
  run: ({ words, ...input }, shared, context) => search(words, { ...shared, ...input }, context),
});
