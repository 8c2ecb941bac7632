/** `pack`: creates the tarball that the registry would create from a build, byte for byte. */
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { z } from 'zod';
import { define, Refused, word, folder } from '../terminal/options.ts';
import { Integrity } from '../../format/index/record.ts';
import { examineFolder } from '../project/build-folder.ts';
import { findingLines, placedFinding } from '../terminal/finding-lines.ts';
import { ClientError } from '../errors.ts';
import { writeError } from '../project/safe-path.ts';
import type { GlobalOptions, Outcome } from '../terminal/command.ts';

const Input = z.object({
  folder,
  out: word('write the tarball to this file; without it nothing is written', 'file'),
});

type PackOptions = GlobalOptions & Omit<z.infer<typeof Input>, 'folder'>;

/**
 * Packs the build in `folder`.
 * @throws {ClientError} `ERR_NO_PROJECT`, `ERR_PROJECT_FILE`, `ERR_USAGE`, `ERR_CONFLICT`, `ERR_WRITE`
 */
export async function packBuild(folder: string, options: PackOptions): Promise<Outcome> {
  const root = resolve(options.cwd, folder);
  const out = options.out === undefined ? undefined : resolve(options.cwd, options.out);
  if (out !== undefined) checkPlace(root, out);
  const { owner, name, source, valid, findings, warnings } = await examineFolder(root);
  if (valid === undefined || findings.some(({ code }) => code === 'build-tarball-size')) {
    const data = { build: `${owner}/${name}`, findings: findings.map(placedFinding) };
    const text = [...findingLines(findings, source), `${owner}/${name}: cannot be packed`];
    return { status: 'different', data, warnings, text };
  }
  const { build, tarball } = valid;
  const { bytes, integrity } = tarball;
  const files = build.files.map(({ path, bytes: content }) => ({ path, size: content.length }));
  if (out !== undefined) writeTarball(out, bytes);
  const { version } = build.manifest;
  const data = {
    build: build.id,
    version,
    integrity,
    size: bytes.length,
    files,
    ...(out === undefined ? {} : { out }),
  };
  const text = [
    ...files.map(({ path, size }) => `${String(size).padStart(10)}  ${path}`),
    `${build.manifest.name} ${version}, files: ${files.length}, bytes packed: ${bytes.length}`,
    `integrity ${integrity}`,
    ...(out === undefined ? [] : [`written to ${out}`]),
  ];
  return { status: 'done', data, warnings, text };
}

/** A tarball in the build's own folder would become a file of the build. */
function checkPlace(root: string, out: string): void {
  const path = relative(root, out);
  if (path !== '..' && !path.startsWith(`..${sep}`) && resolve(root, path) === out) {
    throw new ClientError('ERR_USAGE', `Cannot write "${out}": it is in the folder of the build`, {
      hint: 'give a place outside of it with --out',
    });
  }
}

function writeTarball(out: string, bytes: Uint8Array): void {
  if (existsSync(out) && !(statSync(out).isFile() && readFileSync(out).equals(bytes))) {
    throw new ClientError('ERR_CONFLICT', `Cannot write "${out}": something else is there`, {
      hint: 'delete it, or give another place with --out',
    });
  }
  const temporary = join(dirname(out), `.${randomUUID()}.tgz`);
  try {
    writeFileSync(temporary, bytes, { flag: 'wx' });
    renameSync(temporary, out);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw writeError(out, error);
  }
}

export const command = define({
  description:
    'Lists the content of the tarball of a build, with its digest; exit status 10 when it cannot be packed',
  input: Input,
  output: z.union([
    z.strictObject({
      build: z.string(),
      version: z.string(),
      integrity: Integrity,
      size: z.int(),
      files: z.array(z.strictObject({ path: z.string(), size: z.int() })),
      out: z.string().optional(),
    }),
    Refused,
  ]),
  examples: ['pack src/dates --out dates.tgz'],
  run: ({ folder, ...input }, shared) => packBuild(folder, { ...shared, ...input }),
});
