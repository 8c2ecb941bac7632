/** Writes the folders of builds: all of them or none, and none over a folder that is there. */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ClientError } from '../errors.ts';
import { writeError } from '../project/write-error.ts';

interface BuildFiles {
  readonly name: string;
  readonly files: ReadonlyMap<string, string>;
}

/** @throws {ClientError} `ERR_CONFLICT`, `ERR_WRITE` with nothing written */
export function writeBuilds(folder: string, builds: readonly BuildFiles[]): void {
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
