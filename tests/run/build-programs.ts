/** The programs that tests start hundreds of times, bundled: from its sources each start takes three times as long. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleParts } from '../../generator/client-package/bundle.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Absolute paths of files for Node.js. */
export interface Programs {
  /** `client/main.ts`. */
  readonly client: string;
  /** `tests/client/crash-run.ts`. */
  readonly crashRun: string;
}

/** Builds them into new folders of `folder`. */
export async function buildPrograms(folder: string): Promise<Programs> {
  const client = await build(join(folder, 'client'), { stackyard: 'client/main.ts' });
  const crash = { 'crash-run': 'tests/client/crash-run.ts' };
  const crashRun = await build(join(folder, 'crash-run'), crash);
  return { client: client['stackyard']!, crashRun: crashRun['crash-run']! };
}

/** The parts of the published program, but each in a file, so that Node.js keeps what it compiled. */
async function build(
  folder: string,
  programs: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  mkdirSync(folder);
  // The optional packages of the programs are found, as in the repository.
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n');
  const names = Object.keys(programs);
  const paths = Object.fromEntries(names.map((name) => [name, join(ROOT, programs[name]!)]));
  for (const { name, code } of (await bundleParts(paths)).parts) {
    const twice = names.find((program) => code.includes(`from "./${program}.js"`));
    if (twice !== undefined) throw new Error(`${name} imports ${twice}.js, a program: split it`);
    writeFileSync(join(folder, name), code);
  }
  return Object.fromEntries(names.map((name) => [name, join(folder, `${name}.js`)]));
}
