/** The programs that tests start hundreds of times, bundled: from its sources each start takes three times as long. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleParts } from '../../tools/build/bundle.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Absolute paths of files for Node.js. */
export interface Programs {
  /** `client/main.ts`. */
  readonly client: string;
  /** `client/install/crash-run.ts`. */
  readonly crashRun: string;
}

/** Builds them into new folders of `folder`. */
export async function buildPrograms(folder: string): Promise<Programs> {
  return {
    client: await build('client/main.ts', join(folder, 'client')),
    crashRun: await build('client/install/crash-run.ts', join(folder, 'crash-run')),
  };
}

/** Of the same parts as the published program, but each in a file, so that Node.js keeps what it compiled. */
async function build(entry: string, folder: string): Promise<string> {
  mkdirSync(folder);
  // The optional packages of the program are found, as in the repository.
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n');
  const { main, parts } = await bundleParts(join(ROOT, entry));
  for (const { name, code } of parts) writeFileSync(join(folder, name), code);
  return join(folder, main);
}
