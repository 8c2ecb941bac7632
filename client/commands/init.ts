/** `init`: writes a manifest and two texts for a folder that becomes a build. */
import {
  existsSync,
  lstatSync,
  readFileSync,
  statSync,
  constants,
  copyFileSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { define } from './options.ts';
import { Manifest, parseManifest } from '../../format/build/manifest.ts';
import { INTEGRATION_FILE, MANIFEST_FILE, README_FILE } from '../../format/build/build-files.ts';
import { findingMessage } from '../../format/finding/finding.ts';
import { readFolder } from '../registry/build-folder.ts';
import { ClientError } from '../errors.ts';
import { findBuildPlace } from '../init/build-place.ts';
import { draftManifest, parsed, type Requirements } from '../init/draft-manifest.ts';
import { projectFacts } from '../init/project-facts.ts';
import { guessWiring } from '../init/guess-wiring.ts';
import { integrationSkeleton, readmeSkeleton } from '../init/skeletons.ts';
import {
  printWarnings,
  type CommandContext,
  type GlobalOptions,
  type Outcome,
} from '../terminal/command.ts';
import type { Source } from '../../scan/source.ts';
import { validate } from '../../scan/validate.ts';
import { hasCode, writeError } from '../project/safe-path.ts';

const Input = z.object({
  folder: z.string().default('.').meta({ description: 'what to describe', isArgument: true }),
  owner: z.string().optional().meta({ description: 'who will publish it', placeholder: 'login' }),
  name: z.string().optional().meta({ description: 'name of the build', placeholder: 'name' }),
  kind: z
    .enum(['module', 'foundation'])
    .optional()
    .meta({ description: 'what it is', placeholder: 'kind' }),
  license: z
    .string()
    .optional()
    .meta({ description: 'SPDX identifier, if the project declares none', placeholder: 'id' }),
  description: z
    .string()
    .optional()
    .meta({ description: 'what it does, in one sentence', placeholder: 'text' }),
  force: z
    .boolean()
    .default(false)
    .meta({ description: 'add missing fields to an existing manifest' }),
  dryRun: z.boolean().default(false).meta({ description: 'print the manifest and write nothing' }),
});

type InitOptions = GlobalOptions & Omit<z.infer<typeof Input>, 'folder'>;

/**
 * Describes the build in `folder`, which may not exist yet.
 * @throws {ClientError} with nothing written
 */
export async function init(
  folder: string,
  options: InitOptions,
  context: CommandContext,
): Promise<Outcome> {
  const root = resolve(options.cwd, folder);
  const known = manifestAt(root, options.force);
  const source = await sourceOf(root);
  const place = findBuildPlace(root);
  const facts = await projectFacts(place.project, context.signal);
  const requirements = { ...options, ...(known === undefined ? {} : licensed(options, known)) };
  const draft = draftManifest(place, source, facts, requirements);
  const manifest =
    known === undefined ? draft.manifest : parsed(keepWritten(known, draft.manifest));
  const id = `${draft.owner ?? 'your-login'}/${manifest.name}`;
  const texts: NewFile[] = [
    { name: README_FILE, text: readmeSkeleton(id, manifest), isReplacing: false },
    {
      name: INTEGRATION_FILE,
      text: integrationSkeleton(id, manifest, guessWiring(contentsOf(source), manifest)),
      isReplacing: false,
    },
  ];
  const kept = texts.filter(({ name }) => isThere(join(root, name)));
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  const files: NewFile[] = [
    ...texts.filter((file) => !kept.includes(file)),
    { name: MANIFEST_FILE, text, isReplacing: known !== undefined },
  ];
  const problems = manifestProblems(draft.owner ?? 'local', manifest.name, source, files);
  const warnings = [...draft.notes, ...problems].map((message) => ({
    code: 'init',
    message,
    path: '',
  }));
  const data = {
    folder: root,
    ...(manifest.base === undefined ? {} : { base: manifest.base }),
    ...(draft.owner === undefined ? {} : { owner: draft.owner }),
    manifest,
    written: files.map(({ name }) => name),
    kept: kept.map(({ name }) => name),
  };
  const lines = [
    ...kept.map(({ name }) => `kept     ${name}: it already exists`),
    ...files.map(({ name, isReplacing }) => `${isReplacing ? 'updated ' : 'written '} ${name}`),
  ];
  if (options.dryRun) printWarnings({ warnings }, context);
  if (options.dryRun)
    return { status: 'planned', data, warnings, text: [text.trimEnd(), ...lines] };
  context.terminal.message(text.trimEnd());
  printWarnings({ warnings }, context);
  const names = files.map(({ name }) => name).join(', ');
  await context.ask({ text: `Write ${names} into "${root}"?`, flag: '--yes' });
  writeFiles(root, files);
  const next = [
    { command: `stackyard check ${folder}`, why: 'check the build as the registry does' },
  ];
  return { status: 'done', data, warnings, next, text: lines };
}

/** The files that were read: links and large ones are not. */
function contentsOf({ files }: Source): { path: string; bytes: Uint8Array }[] {
  return files.flatMap(({ path, bytes }) => (bytes === undefined ? [] : [{ path, bytes }]));
}

/** The existing manifest. @throws {ClientError} `ERR_CONFLICT` unless it may be changed */
function manifestAt(root: string, isForced: boolean): Manifest | undefined {
  const path = join(root, MANIFEST_FILE);
  if (!isThere(path)) return undefined;
  if (!isForced) {
    throw new ClientError('ERR_CONFLICT', `"${path}" already exists`, {
      hint: 'add --force: your fields are kept, and missing ones are added',
    });
  }
  const result = lstatSync(path).isFile() ? parseManifest(readFileSync(path)) : undefined;
  if (result?.ok === true) return result.manifest;
  const why = result?.findings.map(findingMessage).join('; ') ?? 'it is not a file';
  throw new ClientError('ERR_PROJECT_FILE', `Cannot update "${path}": ${why}`, {
    hint: 'correct it, or delete it and run again',
  });
}

async function sourceOf(root: string): Promise<Source> {
  if (!existsSync(root)) return { files: [], isCut: false };
  if (!statSync(root).isDirectory()) {
    throw new ClientError('ERR_USAGE', `"${root}" is not a folder`, {
      hint: 'give the folder that is to become a build',
    });
  }
  return (await readFolder(root)).source;
}

/** Values of the existing manifest replace missing options. */
function licensed({ name, kind, license }: Requirements, known: Manifest): Partial<Requirements> {
  return {
    name: name ?? known.name,
    kind: kind ?? known.kind,
    license: license ?? known.license,
    description: known.description,
  };
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

export const command = define({
  description:
    'Writes stackyard.json, guessed from the files and the project around them, and skeletons of README.md and INTEGRATION.md',
  input: Input,
  output: z.strictObject({
    folder: z.string(),
    base: z.string().optional(),
    owner: z.string().optional(),
    manifest: Manifest,
    written: z.array(z.string()),
    kept: z.array(z.string()),
  }),
  examples: ['init src/dates --owner alice --dry-run'],
  run: ({ folder, ...input }, shared, context) => init(folder, { ...shared, ...input }, context),
});

/** Messages of the errors for which the registry would refuse `source` with `files` written into it. */
export function manifestProblems(
  owner: string,
  name: string,
  source: Source,
  files: readonly NewFile[],
): string[] {
  const names = files.map((file) => file.name);
  const all = [
    ...source.files.filter(({ path }) => !names.includes(path)),
    ...files.map(({ name: path, text }) => {
      const bytes = Buffer.from(text);
      return { path, isUtf8Path: true, type: 'file' as const, size: bytes.length, bytes };
    }),
  ];
  const { findings } = validate({ owner, name, source: { files: all, isCut: source.isCut } });
  return findings
    .filter(({ level }) => level === 'error')
    .map((found) => `${found.file === '' ? '' : `${found.file}: `}${findingMessage(found)}`);
}

/** Adds what a new draft has to an existing manifest; everything written there is kept. */
type Packages = NonNullable<Manifest['dependencies']>;

/** `known`, with the packages, variables and stack tags of `draft` that it does not have. */
function keepWritten(known: Manifest, draft: Manifest): Manifest {
  const { dependencies, devDependencies, env, stack } = known;
  const requires = { ...draft.stack?.requires, ...stack?.requires };
  return {
    ...draft,
    ...known,
    ...some('stack', { ...stack, ...some('requires', requires) }),
    ...some('dependencies', joined(dependencies, draft.dependencies, devDependencies)),
    ...some('devDependencies', joined(devDependencies, draft.devDependencies, dependencies)),
    ...some('env', { ...draft.env, ...env }),
  };
}

/** An entry in the other table was put there on purpose. */
function joined(
  known: Packages | undefined,
  draft: Packages | undefined,
  other: Packages | undefined,
): Packages {
  const of = (registry: 'npm' | 'pip'): Record<string, string> => {
    const added = Object.entries(draft?.[registry] ?? {});
    const fresh = added.filter(([name]) => !Object.hasOwn(other?.[registry] ?? {}, name));
    return { ...Object.fromEntries(fresh), ...known?.[registry] };
  };
  return { ...some('npm', of('npm')), ...some('pip', of('pip')) };
}

function some(field: string, value: object): object {
  return Object.keys(value).length === 0 ? {} : { [field]: value };
}

/** Writes several files to one folder: all of them or none, and replaces a file only if `isReplacing`. */
interface NewFile {
  readonly name: string;
  readonly text: string;
  /** Whether it replaces an existing file. */
  readonly isReplacing: boolean;
}

/** @throws {ClientError} `ERR_WRITE`, `ERR_CONFLICT` with nothing written */
export function writeFiles(folder: string, files: readonly NewFile[]): void {
  const mark = randomUUID();
  const prepared = files.map((file, at) => ({
    ...file,
    temporary: join(folder, `.${mark}-${at}`),
  }));
  const written: string[] = [];
  const undo: (() => void)[] = [];
  try {
    const made = mkdirSync(folder, { recursive: true });
    if (made !== undefined) undo.push(() => rmSync(made, { recursive: true, force: true }));
    for (const { temporary, text } of prepared) {
      writeFileSync(temporary, text, { flag: 'wx' });
      written.push(temporary);
    }
    for (const { name, temporary, isReplacing } of prepared) {
      const path = join(folder, name);
      if (isReplacing) {
        const before = readFileSync(path);
        renameSync(temporary, path);
        undo.push(() => writeFileSync(path, before));
      } else {
        place(temporary, path);
        undo.push(() => rmSync(path, { force: true }));
      }
    }
  } catch (error) {
    for (const step of undo.reverse()) step();
    if (!hasCode(error, 'EEXIST')) throw writeError(folder, error);
    throw new ClientError('ERR_CONFLICT', `A file already exists in "${folder}"`, {
      hint: 'nothing was written; check the folder, then run the same command again',
      cause: error,
    });
  } finally {
    for (const temporary of written) rmSync(temporary, { force: true });
  }
}

/** Linking fails if another process created the file meanwhile; renaming would replace it. */
function place(temporary: string, path: string): void {
  try {
    linkSync(temporary, path);
  } catch (error) {
    // Some file systems have no hard links.
    if (!hasCode(error, 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS')) throw error;
    copyFileSync(temporary, path, constants.COPYFILE_EXCL);
  }
}
