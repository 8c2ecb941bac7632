/** `info`: the package record of a build, for people or as JSON. */
import { describeRecord, installPlace } from '../record/record-text.ts';
import { measuredRanges, MeasuredRangeOutput } from '../record/measured-ranges.ts';
import { z } from 'zod';
import { fullIds } from '../search/short-ids.ts';
import { RegistryOf, define, oneBuild, flag } from '../terminal/options.ts';
import { Integrity, PackageRecord } from '../../format/index/record.ts';
import { INTEGRATION_FILE, README_FILE } from '../../format/build/build-files.ts';
import { isGone } from '../../format/registry/status.ts';
import { LockedLog } from '../../format/project/lock.ts';
import { Provenance } from '../../format/provenance/provenance.ts';
import { lockIfAny } from '../project/project.ts';
import type { Registries } from '../registry/registries.ts';
import { chooseVersion } from '../resolve/choose-version.ts';
import { parseRegistryRequest } from '../resolve/request.ts';
import { ClientError } from '../errors.ts';
import { readEntries } from '../change/fetch-builds.ts';
import { followMoves } from '../search/follow-moves.ts';
import type { CommandContext, GlobalOptions, Outcome } from '../terminal/command.ts';
import { noBuildNear } from '../search/near-builds.ts';
import { withRegistry } from '../registry/open-registry.ts';
import { readRecord } from '../record/read-record.ts';
import { describeProvenance } from '../record/provenance.ts';
import { waiversPath } from '../../format/index/layout.ts';
import { Waivers } from '../../format/index/waivers.ts';
import { optional } from '../registry/registry.ts';

const Input = z.object({
  build: oneBuild('[<registry>:]<owner>/<name>[@<range>]'),
  file: z
    .string()
    .max(400)
    .optional()
    .meta({ description: 'a file of the build, to print it', isArgument: true }),
  files: flag('list its files instead'),
  readme: flag('print its README.md instead'),
  integration: flag('print its INTEGRATION.md instead'),
  provenance: flag('verify and print which commit it comes from instead'),
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
    const wanted = requests[0] ?? asked;
    const { id, range } = wanted;
    if (options.provenance === true) return describeProvenance(registry, wanted);
    const head = await registry.head(id);
    if (head === undefined) throw await noBuildNear(registry, id);
    const listed = chooseVersion(id, head.versions, head.latest, range);
    const { version } = listed;
    const own = registry.entryOf(id).registry;
    const shown = await readRecord(own, id, listed);
    if (shown === undefined) {
      throw new ClientError(
        'ERR_REGISTRY_ANSWER',
        `There is no record of "${id}" ${version} in ${own.base}`,
        { hint: 'the record lists a version that is missing: report it to the registry' },
      );
    }
    const place = await installPlace(registry, wanted, lock);
    const isShort = options.readme || options.integration;
    const isWhole = version === head.latest || isGone(listed.status);
    const isEnough = isWhole || !(isShort || options.json);
    const record = isEnough ? shown : await withTexts(registry, shown);
    const measured = isShort ? [] : await measuredRanges(own, record);
    const readWaivers = () => own.about(Waivers, waiversPath(id), id, 'waivers');
    const waivers = isShort ? undefined : await optional(readWaivers);
    const text = describeRecord(record, options, place, { head, measured, waivers });
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

/** The record of another version than the latest, with README and guide. */
async function withTexts(registry: Registries, record: PackageRecord): Promise<PackageRecord> {
  const { id, version, integrity } = record;
  const entries = readEntries(id, version, await registry.tarball(id, version, integrity));
  const textOf = (file: string): string =>
    Buffer.from(entries.find(({ path }) => path === file)?.bytes ?? '').toString();
  return { ...record, readme: textOf(README_FILE), integration: textOf(INTEGRATION_FILE) };
}

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
