/** `init`: writes a manifest and two texts for a folder that becomes a build. */
import { keepWritten } from '../init/keep-written.ts';
import { manifestProblems, writeFiles, type NewFile } from '../init/new-files.ts';
import { existsSync, lstatSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { define, flag, type RunContext, word } from '../terminal/options.ts';
import { Manifest, parseManifest } from '../../format/build/manifest.ts';
import { INTEGRATION_FILE, MANIFEST_FILE, README_FILE } from '../../format/build/build-files.ts';
import { findingMessage } from '../../format/finding/finding.ts';
import { readFolder } from '../project/build-folder.ts';
import { ClientError } from '../errors.ts';
import { findBuildPlace } from '../init/build-place.ts';
import { draftManifest, parsed, type Requirements } from '../init/draft-manifest.ts';
import { projectFacts } from '../init/project-facts.ts';
import { guessWiring } from '../init/guess-wiring.ts';
import { integrationSkeleton, readmeSkeleton } from '../init/skeletons.ts';
import { printWarnings, type GlobalOptions, type Outcome } from '../terminal/command.ts';
import type { Source } from '../../scan/source.ts';

const Input = z.object({
  folder: z.string().default('.').meta({ description: 'what to describe', isArgument: true }),
  owner: word('who will publish it', 'login'),
  name: word('name of the build', 'name'),
  kind: z
    .enum(['module', 'foundation'])
    .optional()
    .meta({ description: 'what it is', placeholder: 'kind' }),
  license: word('SPDX identifier, if the project declares none', 'id'),
  description: word('what it does, in one sentence', 'text'),
  force: flag('add missing fields to an existing manifest'),
  dryRun: flag('print the manifest and write nothing'),
});

type InitOptions = GlobalOptions & Omit<z.infer<typeof Input>, 'folder'>;

/**
 * Describes the build in `folder`, which may not exist yet.
 * @throws {ClientError} with nothing written
 */
export async function init(
  folder: string,
  options: InitOptions,
  context: RunContext,
): Promise<Outcome> {
  const root = resolve(options.cwd, folder);
  const source = await sourceOf(root);
  const known = manifestAt(root, options.force);
  const place = findBuildPlace(root);
  const facts = await projectFacts(place.project, context.signal);
  const requirements = { ...options, ...(known === undefined ? {} : licensed(options, known)) };
  const first = draftManifest(place, source, facts, requirements);
  const { draft, note } = await nameAsked(first, context, (name) =>
    draftManifest(place, source, facts, { ...requirements, name }),
  );
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
  const warnings = [...note, ...draft.notes, ...problems].map((message) => ({
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
  if (options.dryRun)
    return { status: 'planned', data, warnings, text: [text.trimEnd(), ...lines] };
  context.terminal.message(text.trimEnd());
  printWarnings({ warnings }, context);
  const names = files.map(({ name }) => name).join(', ');
  await context.ask([{ about: 'write', text: `Write ${names} into "${root}"?` }]);
  writeFiles(root, files);
  const next = [
    { command: `stackyard check ${folder}`, why: 'check the build as the registry does' },
  ];
  return { status: 'done', data, warnings, isAnnounced: true, next, text: lines };
}

/** A name that had to be changed is asked where someone can answer, and told otherwise. */
async function nameAsked<Drafted extends ReturnType<typeof draftManifest>>(
  draft: Drafted,
  { canAsk, ask }: RunContext,
  again: (name: string) => Drafted,
): Promise<{ draft: Drafted; note: string[] }> {
  const { changed, manifest } = draft;
  if (changed === undefined) return { draft, note: [] };
  const why = `"${changed}" cannot be the name of a build`;
  if (!canAsk) return { draft, note: [`${why}, so it is "${manifest.name}": choose with --name`] };
  const [answer] = await ask([{ about: 'name', why, name: manifest.name }]);
  return { draft: again(answer?.text ?? manifest.name), note: [] };
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
  let there = root;
  while (!existsSync(there)) there = dirname(there);
  if (!statSync(there).isDirectory()) {
    throw new ClientError('ERR_USAGE', `"${there}" is not a folder`, {
      hint: 'give the folder that is to become a build',
    });
  }
  return there === root ? (await readFolder(root)).source : { files: [], isCut: false };
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
