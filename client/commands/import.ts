/** `import`: turns the items of a registry for shadcn into folders of builds. */
import { dirname, join, relative, resolve } from 'node:path';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { allow, define } from './options.ts';
import { ConsentOutput, type Warning } from '../plan/plan.ts';
import { isOwner } from '../../format/build/build-id.ts';
import { printable } from '../../format/build/file-path.ts';
import { isSpdxExpression } from '../../format/build/manifest-findings.ts';
import { ClientError } from '../errors.ts';
import { guessLicense, readLicense } from '../init/guess-packages.ts';
import { itemBuilds } from '../import/item-builds.ts';
import { itemPlace, readItems } from '../import/read-items.ts';
import type { ItemSource } from '../import/item-reference.ts';
import {
  printWarnings,
  type CommandContext,
  type GlobalOptions,
  type Outcome,
} from '../terminal/command.ts';
import { consentLines, requireConsent } from '../terminal/consent.ts';
import { textConsent } from '../plan/consent.ts';
import { field } from '../../format/document/canonical-json.ts';
import { readJson } from '../project/read-file.ts';
import { writeError } from '../project/safe-path.ts';

type ImportedItems = ReturnType<typeof itemBuilds>;

const Input = z.object({
  source: z
    .string()
    .meta({ description: 'address or folder of a registry.json or of one item', isArgument: true }),
  owner: z
    .string()
    .optional()
    .meta({ description: 'who will publish the builds (required)', placeholder: 'login' }),
  license: z.string().optional().meta({
    description: 'SPDX identifier, for items of a registry that states no licence',
    placeholder: 'id',
  }),
  items: z.array(z.string()).optional().meta({
    description: 'only these items, with those that they require',
    placeholder: 'names',
    hasCommas: true,
  }),
  root: z
    .string()
    .default('src')
    .meta({ description: 'the folder that "@/" stands for in their code', placeholder: 'folder' }),
  out: z
    .string()
    .default('builds')
    .meta({ description: 'where <owner>/<name> is written', placeholder: 'folder' }),
  skipBroken: z
    .boolean()
    .default(false)
    .meta({ description: 'leave out items that can become no build' }),
  dryRun: z
    .boolean()
    .default(false)
    .meta({ description: 'report what would be written, and write nothing' }),
  allow,
});

type ImportOptions = GlobalOptions & Omit<z.infer<typeof Input>, 'source'>;

/**
 * Imports the registry at `source`. All builds are written, or none.
 * @throws {ClientError}
 */
export async function importItems(
  source: string,
  options: ImportOptions,
  context: CommandContext,
): Promise<Outcome> {
  const { cwd, license } = options;
  const owner = checkOptions(options);
  const root = options.root.replace(/^\.?\/?|\/$/g, '');
  const place = itemPlace(source, cwd, options.offline, context.signal);
  const read = await readItems(place, options.items, (done, total) => {
    if (done > 0 && done % 200 === 0) context.terminal.message(`Read ${done} of ${total} items`);
  });
  const common = place.folder === undefined ? undefined : statedLicense(place.folder);
  const from: ItemSource = {
    address: place.address,
    ...read,
    license: common?.id,
    licenseText: common?.text,
  };
  const made = itemBuilds(from, { owner, root, license });
  if (made.broken.length > 0 && !options.skipBroken) throw refused(source, made);
  const folder = resolve(cwd, options.out, owner);
  const warnings = warningsOf(made);
  printWarnings({ warnings }, context);
  const shown = relative(resolve(cwd), folder);
  const consent = made.builds.flatMap(({ id, placed }) => textConsent(id, placed, options.allow));
  const consented = { command: 'import', consent };
  if (!options.dryRun) {
    await requireConsent(consented, context);
    writeBuilds(folder, made.builds);
  }
  const verb = options.dryRun ? 'would write' : 'wrote';
  return {
    status: options.dryRun ? 'planned' : made.builds.length === 0 ? 'noop' : 'done',
    data: {
      source,
      folder,
      builds: made.builds.map(({ id, item, license: own, requires, files, notes }) => {
        return { id, item, license: own, requires, files: [...files.keys()].sort(), notes };
      }),
      ...(consent.length === 0 ? {} : { consent }),
      bundles: made.bundles,
      left_out: made.broken.map(({ name, code, problem }) => ({ item: name, code, problem })),
    },
    warnings,
    next: made.builds.slice(0, 1).map(({ name }) => {
      const command = `stackyard check ${join(shown, name)}`;
      return { command, why: 'lists what the registry will report about a build' };
    }),
    text: [
      ...made.builds.map(({ id, files }) => `${id}: ${files.size} files`),
      ...(options.dryRun ? consentLines(consented) : []),
      `${verb} ${made.builds.length} builds to ${shown === '' ? '.' : shown}, ${made.broken.length} items left out`,
    ],
  };
}

/** Returns the owner. */
function checkOptions({ owner, license }: ImportOptions): string {
  if (owner === undefined || !isOwner(owner)) {
    const problem =
      owner === undefined
        ? 'Option --owner is missing'
        : `"${printable(owner)}" is no owner of builds`;
    throw new ClientError('ERR_USAGE', problem, {
      hint: 'give your login at the code host in lower case with --owner',
    });
  }
  if (license === undefined || isSpdxExpression(license)) return owner;
  throw new ClientError('ERR_USAGE', `"${printable(license)}" is no licence that SPDX knows`, {
    hint: 'give an identifier such as MIT',
  });
}

/** The licence of the package that a folder is part of. */
function statedLicense(folder: string): { id: string | undefined; text: string | undefined } {
  const folders = [folder, dirname(folder), dirname(dirname(folder))];
  for (const one of folders) {
    const stated = field(readJson(join(one, 'package.json')), 'license');
    const id = guessLicense(typeof stated === 'string' ? stated : undefined, [one]);
    if (id !== undefined) return { id, text: readLicense(one) };
  }
  return { id: undefined, text: undefined };
}

function warningsOf({ builds, bundles, broken }: ImportedItems): Warning[] {
  return [
    ...bundles.map((name) => {
      const message = `item "${printable(name)}" only names others: what requires it requires those`;
      return { code: 'import-bundle', path: '', message };
    }),
    ...builds.flatMap(({ id, notes }) => {
      return notes.map((note) => ({
        code: 'import-note',
        path: '',
        message: `${id}: ${printable(note)}`,
      }));
    }),
    ...broken.map(({ name, problem }) => {
      const message = `item "${printable(name)}" is left out: ${printable(problem)}`;
      return { code: 'import-left-out', path: '', message };
    }),
  ];
}

/** Names every item that is at fault. */
function refused(source: string, { broken, builds }: ImportedItems): ClientError {
  const listed = broken
    .map(({ name, code, problem }) => `  ${printable(name)}: ${printable(problem)} [${code}]`)
    .join('\n');
  const isUnlicensed = broken.some(({ code }) => code === 'ERR_USAGE');
  const [first] = broken;
  const code = broken.every((one) => one.code === first?.code) ? first?.code : 'ERR_ARCHIVE';
  const hint = isUnlicensed
    ? 'give the licence of the items with --license, after you have made sure of it'
    : `nothing was written; --skip-broken writes the other ${builds.length}`;
  return new ClientError(
    isClientCode(code) ? code : 'ERR_ARCHIVE',
    `Cannot import ${broken.length} of ${broken.length + builds.length} items of ${source}:\n${listed}`,
    { hint },
  );
}

const CODES = [
  'ERR_USAGE',
  'ERR_ARCHIVE',
  'ERR_PATH_POLICY',
  'ERR_CONFLICT',
  'ERR_NETWORK',
  'ERR_REGISTRY_ANSWER',
] as const;

function isClientCode(code: string | undefined): code is (typeof CODES)[number] {
  return CODES.some((one) => one === code);
}

export const command = define({
  description:
    'Reads a registry.json for shadcn (or one item of it) from an address or a folder, and writes a build folder for each item: all, or none',
  input: Input,
  output: z.strictObject({
    source: z.string(),
    folder: z.string().describe('The folder of the builds.'),
    builds: z.array(
      z.strictObject({
        id: z.string(),
        item: z.string(),
        license: z.string(),
        requires: z.array(z.string()),
        files: z.array(z.string()),
        notes: z.array(z.string()).describe('What needs a person.'),
      }),
    ),
    consent: ConsentOutput,
    bundles: z
      .array(z.string())
      .describe('Items that only name others: what requires them requires those.'),
    left_out: z.array(z.strictObject({ item: z.string(), code: z.string(), problem: z.string() })),
  }),
  examples: ['import https://ui.acme.example/r/registry.json --owner acme --license MIT'],
  run: ({ source, ...input }, shared, context) =>
    importItems(source, { ...shared, ...input }, context),
});

/** Writes the folders of builds: all of them or none, and none over a folder that is there. */
interface BuildFiles {
  readonly name: string;
  readonly files: ReadonlyMap<string, string>;
}

/** @throws {ClientError} `ERR_CONFLICT`, `ERR_WRITE` with nothing written */
function writeBuilds(folder: string, builds: readonly BuildFiles[]): void {
  const taken = builds.filter(({ name }) => existsSync(join(folder, name)));
  if (taken.length > 0) throw conflict(folder, taken);
  const stage = join(folder, `.${randomUUID()}`);
  const placed: string[] = [];
  let made: string | undefined;
  try {
    made = mkdirSync(stage, { recursive: true });
    for (const { name, files } of builds) {
      for (const [path, text] of files) {
        const file = join(stage, name, path);
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, text, { flag: 'wx' });
      }
    }
    for (const build of builds) {
      const place = join(folder, build.name);
      if (existsSync(place)) throw conflict(folder, [build]);
      renameSync(join(stage, build.name), place);
      placed.push(place);
    }
    rmSync(stage, { recursive: true, force: true });
  } catch (error) {
    for (const place of placed) rmSync(place, { recursive: true, force: true });
    rmSync(made ?? stage, { recursive: true, force: true });
    throw writeError(folder, error);
  }
}

function conflict(folder: string, builds: readonly BuildFiles[]): ClientError {
  const [first] = builds;
  const more = builds.length > 1 ? ` and ${builds.length - 1} more` : '';
  return new ClientError(
    'ERR_CONFLICT',
    `Cannot write to "${folder}": "${first?.name}"${more} already exists`,
    { hint: 'nothing was written; give another folder with --out, or only new items with --items' },
  );
}
