/** `sbom`: the installed builds as a software bill of materials. Needs the registry only for files that differ. */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { sha256Hex } from '../../format/archive/integrity.ts';
import { field } from '../../format/document/canonical-json.ts';
import { cycloneDx, type CopiedFile } from '../../format/project/bill-of-materials.ts';
import type { Lock } from '../../format/project/lock.ts';
import { PACKAGE_JSON } from '../edit/edited-files.ts';
import { VERSION } from '../program.ts';
import { chooseProject } from '../project/choose-project.ts';
import { readJson } from '../project/read-file.ts';
import { requireLock } from '../project/project.ts';
import type { CommandContext, GlobalOptions, Outcome } from '../terminal/command.ts';
import { define } from '../terminal/options.ts';
import { verify } from '../change/verify-files.ts';
import { statusAt } from '../project/read-file.ts';

async function sbom(options: GlobalOptions, context: CommandContext): Promise<Outcome> {
  const project = chooseProject(options);
  const lock = requireLock(project);
  const { data, warnings = [] } = await verify(options, context);
  const { differences, moved = [] } = data as Differences;
  const edited = Map.groupBy(differences, ({ build }) => build);
  const places = new Map(moved.map(({ path, to }) => [path, to]));
  const manifest = readJson(join(project, PACKAGE_JSON));
  const [name, version] = ['name', 'version'].map((key) => {
    const value = field(manifest, key);
    return typeof value === 'string' && value !== '' ? value : undefined;
  });
  const copied = {
    name: name ?? basename(project),
    version,
    lock,
    edited: new Map([...edited].map(([id, of]) => [id, [...new Set(of.map((one) => one.path))]])),
    files: filesOf(project, lock, places),
  };
  const written = { tool: 'stackyard', version: VERSION, at: timeOf(process.env) };
  const document = cycloneDx(copied, written);
  return {
    status: 'done',
    data: { document },
    warnings,
    text: [],
    raw: Buffer.from(`${JSON.stringify(document, null, 2)}\n`),
  };
}

interface Differences {
  readonly differences: readonly { readonly build: string; readonly path: string }[];
  readonly moved?: readonly { readonly path: string; readonly to: string }[];
}

/** Build to the files that are there. */
function filesOf(
  project: string,
  { builds }: Lock,
  places: ReadonlyMap<string, string>,
): Map<string, CopiedFile[]> {
  const filesIn = (paths: readonly string[]): CopiedFile[] =>
    paths.flatMap((shipped) => {
      const path = places.get(shipped) ?? shipped;
      const file = join(project, path);
      if (statusAt(file)?.isFile() !== true) return [];
      return [{ path, sha256: sha256Hex(readFileSync(file)) }];
    });
  return new Map(
    Object.entries(builds).map(([id, { files }]) => [id, filesIn(Object.keys(files).sort())]),
  );
}

/** The clock, or the time that a reproducible run gives, in whole seconds. */
function timeOf({ SOURCE_DATE_EPOCH: given = '' }: NodeJS.ProcessEnv): string {
  const time = /^\d{1,11}$/.test(given) ? Number(given) * 1000 : Date.now();
  return new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');
}

export const command = define({
  description:
    'Prints the installed builds as a software bill of materials (CycloneDX 1.6), with licence, digest, origin, files, and whether they were edited',
  input: z.object({}),
  output: z.looseObject({
    document: z.looseObject({}).describe('What is printed without --json.'),
  }),
  examples: ['sbom > bom.cdx.json', 'sbom -C my-app'],
  run: (_input, shared, context) => sbom(shared, context),
});
