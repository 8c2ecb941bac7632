/** `info`: the package record of a build, for people or as JSON. */
import { z } from 'zod';
import { fullIds } from '../registry/short-ids.ts';
import { RegistryOf, define, oneBuild } from './options.ts';
import {
  Integrity,
  PackageRecord,
  withdrawnProblem,
  type Head,
} from '../../format/index/record.ts';
import { LockedLog, defaultAddress, type Lock } from '../../format/project/lock.ts';
import { Provenance } from '../../format/provenance/provenance.ts';
import { DEFAULT_REGISTRY_NAME } from '../../format/registry/registry-name.ts';
import { lockIfAny } from '../project/project.ts';
import type { Registries } from '../registry/registries.ts';
import { suggestedName, registryOrigin } from '../registry/registry-entry.ts';
import { chooseVersion } from '../resolve/choose-version.ts';
import { type BuildRequest, parseRegistryRequest } from '../resolve/request.ts';
import { ClientError } from '../errors.ts';
import { followMoves } from '../registry/follow-moves.ts';
import {
  printWarnings,
  type CommandContext,
  type GlobalOptions,
  type Outcome,
} from '../terminal/command.ts';
import { noBuildNear } from '../registry/near-builds.ts';
import { oneLine } from '../terminal/printable.ts';
import { riskRole, span, type StyledText } from '../terminal/styled-text.ts';
import { withRegistry } from '../registry/open-registry.ts';
import { describeProvenance } from '../record/provenance.ts';
import { Waivers, describeWaived, waiverOf } from '../../format/index/waivers.ts';
import { failureText, knownGood, rangesOf, type KnownGood } from '../../format/index/known-good.ts';
import { readCompatibility, readWaivers } from '../registry/read-about-build.ts';
import type { Registry } from '../registry/registry.ts';

const Input = z.object({
  build: oneBuild('[<registry>:]<owner>/<name>[@<range>]'),
  file: z
    .string()
    .max(400)
    .optional()
    .meta({ description: 'a file of the build, to print it', isArgument: true }),
  files: z.boolean().default(false).meta({ description: 'list its files instead' }),
  readme: z.boolean().default(false).meta({ description: 'print its README.md instead' }),
  integration: z.boolean().default(false).meta({ description: 'print its INTEGRATION.md instead' }),
  provenance: z
    .boolean()
    .default(false)
    .meta({ description: 'verify and print which commit it comes from instead' }),
});

type InfoOptions = GlobalOptions &
  Pick<z.infer<typeof Input>, 'readme' | 'integration'> & { readonly provenance?: boolean };

/** @throws {ClientError} `ERR_BUILD_NOT_FOUND`, `ERR_VERSION_NOT_FOUND`, and those of the registry */
export async function info(
  request: string,
  options: InfoOptions,
  context: CommandContext,
): Promise<Outcome> {
  const asked = parseRegistryRequest(request);
  const lock = lockIfAny(options);
  const read = async (registry: Registries): Promise<Outcome> => {
    const { requests, notes } = await followMoves(registry, [asked], undefined);
    printWarnings({ warnings: notes }, context);
    const wanted = requests[0] ?? asked;
    const { id, range } = wanted;
    if (options.provenance === true) return describeProvenance(registry, wanted);
    const { base } = registry.entryOf(id).registry;
    const latest = await registry.record(id);
    if (latest === undefined) {
      throw await noBuildNear(registry, id);
    }
    const { version } = chooseVersion(id, latest.versions, latest.version, range);
    const record = version === latest.version ? latest : await registry.record(id, version);
    if (record === undefined) {
      throw new ClientError(
        'ERR_REGISTRY_ANSWER',
        `There is no record of "${id}" ${version} in ${base}`,
        {
          hint: 'the record lists a version that is missing: report it to the registry',
        },
      );
    }
    const place = await installPlace(registry, wanted, lock);
    const head = await registry.head(id);
    const withdrawn = withdrawnIn(head);
    const gone = head && withdrawnProblem(head, version);
    const isShort = options.readme || options.integration;
    const own = registry.entryOf(id).registry;
    const measured = isShort ? [] : await measuredRanges(own, record);
    const waivers = isShort ? undefined : await optional(() => readWaivers(own, id));
    const entry = head?.versions.find((one) => one.version === version);
    const yanked = gone === undefined && entry?.yanked ? entry.yanked : '';
    const text = describe(record, options, place, { withdrawn, measured, waivers, gone, yanked });
    const data = {
      ...record,
      ...(registry.isSeveral ? { registry: place.registry } : {}),
      ...(measured.length === 0 ? {} : { compatibility: measured }),
      ...(waivers === undefined ? {} : { waivers: waivers.versions }),
    };
    return { status: 'done', data, warnings: notes, text };
  };
  return withRegistry(options, lock, context, read, 'reading');
}

/** How the command that installs the build names the registry. */
interface InstallPlace {
  readonly registry: string;
  readonly prefix: string;
  readonly option: string;
  /** A command that is needed before. */
  readonly first?: string;
}

async function installPlace(
  registries: Registries,
  { id }: BuildRequest,
  lock: Lock | undefined,
): Promise<InstallPlace> {
  const { name, isLocked, registry } = registries.entryOf(id);
  if (isLocked) {
    const isOwn = name === DEFAULT_REGISTRY_NAME || lock?.builds[id] !== undefined;
    return { registry: name, prefix: isOwn ? '' : `${name}:`, option: '' };
  }
  if (defaultAddress(lock) === undefined) {
    return { registry: name, prefix: '', option: ` --registry ${registry.base}` };
  }
  // The project has a default registry, which --registry does not replace.
  const isTaken = (taken: string): boolean => Object.hasOwn(lock?.registries ?? {}, taken);
  const added = suggestedName((await registryOrigin(registry)) ?? '', isTaken);
  const first = `stackyard registry add ${added} ${registry.base}`;
  return { registry: name, prefix: `${added}:`, option: '', first };
}

/** The versions that were withdrawn completely: only heads name them. */
function withdrawnIn(head: Head | undefined): ReadonlySet<string> {
  const gone = head?.versions.filter((one) => one.withdrawn === true) ?? [];
  return new Set(gone.map(({ version }) => version));
}

/** What the registry knows beside the record. */
interface Known {
  readonly withdrawn: ReadonlySet<string>;
  /** That the version cannot be installed, and what to do. */
  readonly gone: ReturnType<typeof withdrawnProblem>;
  /** Why the version was yanked; `""` where it was not, or `gone` has it. */
  readonly yanked: string;
  readonly measured: readonly MeasuredRange[];
  readonly waivers: Waivers | undefined;
}

function describe(
  record: PackageRecord,
  options: InfoOptions,
  { prefix, option, first }: InstallPlace,
  { withdrawn, measured, waivers, gone, yanked }: Known,
): StyledText[] {
  if (options.readme)
    return [record.readme === '' ? 'This build has no README.md' : record.readme.trimEnd()];
  if (options.integration) {
    return [
      record.integration === '' ? 'This build has no INTEGRATION.md' : record.integration.trimEnd(),
    ];
  }
  const reports = record.agent_reports;
  const isLatest = record.version === record.latest;
  const id = `${prefix}${record.id}`;
  const request = isLatest ? id : `${id}@${record.version}`;
  const marked = ({ version, yanked }: { readonly version: string; readonly yanked: boolean }) => {
    const word = withdrawn.has(version) ? ' (withdrawn)' : yanked ? ' (yanked)' : '';
    return `${version}${word}`;
  };
  const own = record.versions.find((v) => v.version === record.version);
  const facts: [string, string][] = [
    ['version', `${own === undefined ? record.version : marked(own)}, latest ${record.latest}`],
    ['yanked', yanked],
    ['kind', record.kind],
    ['licence', record.license],
    ['published', `${record.published_at} by ${record.publisher}`],
    ['risk', record.risk],
    ['quality', `${record.quality} of 100`],
    ['reputation', `${record.reputation} of 100`],
    [
      'used',
      `${record.downloads} downloads, ${reports.success} of ${reports.success + reports.failure} reports good`,
    ],
    ['needs', listMap(record.requires)],
    ['requires', listMap(record.manifest.builds ?? {})],
    ['npm', listMap(record.manifest.dependencies?.npm ?? {})],
    ['pip', listMap(record.manifest.dependencies?.pip ?? {})],
    ['provides', record.provides.join(', ')],
    ['variables', Object.keys(record.manifest.env ?? {}).join(', ')],
    [
      'files',
      `${record.files.length}, ${record.files.reduce((sum, f) => sum + f.size, 0)} bytes, in ${record.manifest.base ?? 'the project root'}`,
    ],
    ['integrity', record.integrity],
    // The name of a tree is for programs.
    ['repository', record.repository.startsWith('swh:') ? '' : record.repository],
    ['versions', record.versions.map(marked).join(', ')],
  ];
  const shown = facts.filter(([, value]) => value !== '');
  const findings = record.checks.findings.map((found): StyledText => {
    const { level, file, code } = found;
    const message = `${found.message}${describeWaived(waiverOf(waivers, record.version, found))}`;
    const place = file === '' ? [] : [span('path', file), '  '];
    const name = span('faint', `[${code}]`);
    return ['  ', span(LEVELS[level], level), '  ', ...place, oneLine(message), ' ', name];
  });
  const command = (label: string, text: string): StyledText => [label, span('command', text)];
  const ways = [
    ...(first === undefined ? [] : [command('First:   ', first)]),
    record.kind === 'foundation'
      ? command('Start:   ', `stackyard new ${request} <folder>${option}`)
      : command('Install: ', `stackyard add ${request}${option}`),
    ...(record.integration === ''
      ? []
      : [command('Steps:   ', `stackyard info ${request} --integration`)]),
  ];
  return [
    [span('strong', record.id), `  ${oneLine(record.description)}`],
    '',
    ...shown.map(([name, value]) => factLine(name, oneLine(value), record)),
    ...(measured.length === 0
      ? []
      : ['', [span('strong', 'measured compatibility')], ...measuredLines(measured)]),
    ...(findings.length === 0 ? [] : ['', [span('strong', 'findings')], ...findings]),
    '',
    ...(gone === undefined ? ways : [[span('bad', oneLine(gone.text))], `Hint: ${gone.hint}`]),
  ];
}

const LEVELS = { info: 'faint', warn: 'changed', error: 'bad' } as const;

function factLine(name: string, value: string, { risk }: PackageRecord): StyledText {
  const label = ['  ', span('faint', name), ' '.repeat(12 - name.length)];
  if (name === 'risk') return [...label, span(riskRole(risk), value)];
  return [...label, name === 'version' ? span('number', value) : value];
}

function listMap(map: Readonly<Record<string, string>>): string {
  return Object.entries(map)
    .map(([name, range]) => `${name} ${range}`)
    .join(', ');
}

/** What was measured about one tag, as `--json` prints it. */
interface MeasuredRange {
  readonly tag: string;
  readonly range: string;
  readonly last_good?: string;
  readonly first_bad?: Failure;
  /** The highest version that failed below those that work. */
  readonly bad_below?: Failure;
  readonly versions: readonly {
    readonly version: string;
    readonly outcome: 'ok' | 'failed';
    readonly others: 'newest' | 'lowest';
    readonly date: string;
  }[];
}

interface Failure {
  readonly version: string;
  readonly step: string;
  readonly error: readonly string[];
}

/** `undefined` where it is not known: what is optional never keeps a record from being shown. */
async function optional<Found>(read: () => Promise<Found>): Promise<Found | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ClientError) || error.code === 'ERR_LOG') throw error;
    return undefined;
  }
}

/** Empty where nothing was measured. */
async function measuredRanges(
  registry: Registry,
  { id, version, manifest }: PackageRecord,
): Promise<MeasuredRange[]> {
  const found = await optional(() => readCompatibility(registry, id));
  const results = found?.versions.find((one) => one.version === version)?.results ?? [];
  const ranges = rangesOf(manifest);
  return knownGood(results).map((one) => rangeOf(one, ranges[one.tag] ?? ''));
}

function measuredLines(measured: readonly MeasuredRange[]): StyledText[] {
  const width = Math.max(0, ...measured.map(({ tag }) => tag.length));
  return measured.map(({ tag, last_good, first_bad, bad_below, versions }): StyledText => {
    const good = versions.filter(({ outcome }) => outcome === 'ok').map(({ version }) => version);
    const oldest = good.length > 1 ? `, oldest ${good[0]}` : '';
    const bad = [
      ['first known bad', first_bad],
      ['known bad below', bad_below],
    ] as const;
    const failures = bad.flatMap(([name, failure]) => {
      if (failure === undefined) return [];
      const text = `${failure.version} (${failure.step}: ${failure.error[0] ?? ''})`;
      return [`; ${name} `, span('bad', oneLine(text))];
    });
    const label = span('faint', tag.padEnd(width + 2));
    return [
      '  ',
      label,
      'last known good ',
      span('number', last_good ?? 'none'),
      oldest,
      ...failures,
    ];
  });
}

function rangeOf(one: KnownGood, range: string): MeasuredRange {
  const { tag, lastGood, firstBad, badBelow, outcomes } = one;
  return {
    tag,
    range,
    ...(lastGood === undefined ? {} : { last_good: lastGood }),
    ...(firstBad === undefined ? {} : { first_bad: failureOf(firstBad) }),
    ...(badBelow === undefined ? {} : { bad_below: failureOf(badBelow) }),
    versions: outcomes.map(({ version, row: { outcome, others, date } }) => {
      return { version, outcome, others, date };
    }),
  };
}

function failureOf({ version, row }: KnownGood['outcomes'][number]): Failure {
  const [step = ''] = failureText(row).split(': ');
  return { version, step, error: row.error ?? [] };
}

const Failure = z.looseObject({
  version: z.string(),
  step: z.string(),
  error: z.array(z.string()).describe('The first lines of what the step wrote.'),
});

const MeasuredRangeOutput = z.looseObject({
  tag: z.string(),
  range: z.string(),
  last_good: z.string().optional().describe('The highest version that works.'),
  first_bad: Failure.optional().describe('The lowest version that fails above it.'),
  bad_below: Failure.optional().describe('The highest version that fails below those that work.'),
  versions: z.array(
    z.looseObject({
      version: z.string(),
      outcome: z.enum(['ok', 'failed']),
      others: z.enum(['newest', 'lowest']).describe('Which versions of the others were used.'),
      date: z.string(),
    }),
  ),
});

export const command = define({
  description: 'Shows the package record of a build, or its files, without installing it',
  input: Input,
  output: z.union([
    PackageRecord.extend({
      ...RegistryOf,
      compatibility: z.array(MeasuredRangeOutput).optional(),
      waivers: Waivers.shape.versions.optional(),
    }),
    z
      .looseObject({
        id: z.string(),
        version: z.string(),
        statement: Provenance,
        log: LockedLog.optional().describe('What proves it; absent where nobody signs the log.'),
      })
      .describe('With --provenance.'),
    z
      .looseObject({
        id: z.string(),
        version: z.string(),
        integrity: Integrity,
        ...RegistryOf,
        files: z
          .array(z.looseObject({ path: z.string(), mode: z.string(), size: z.int() }))
          .optional()
          .describe('Without a file.'),
        path: z.string().optional(),
        encoding: z.enum(['utf-8', 'base64']).optional(),
        content: z.string().optional(),
      })
      .describe('With --files or a file.'),
  ]),
  examples: ['info stackyard/sqlite@^1.0.0', 'info stackyard/sqlite README.md'],
  run: async ({ build, file, files, ...input }, shared, context) => {
    const options = { ...shared, ...input };
    const [id = ''] = await fullIds([build], undefined, options, context);
    if (file === undefined && !files) return info(id, options, context);
    const { view } = await import('../record/view-files.ts');
    return view(id, file, { ...shared, isTerminal: process.stdout.isTTY }, context);
  },
});
