/** The package `stackyard-registry` as operators get it: built, packed by npm, installed from the archive. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildRegistry, copyRegistryFiles } from '../../tools/build.ts';
import { makeOnce } from '../run/make-once.ts';
import { runNpm } from '../run/provide-node.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Returns the path of the archive, the same in all tests of a run. */
export async function packRegistry(): Promise<string> {
  const folder = await makeOnce('registry-package', async (made) => {
    const published = join(made, 'package');
    mkdirSync(published);
    copyRegistryFiles(ROOT, published);
    await buildRegistry(ROOT, join(published, 'dist'));
    await runNpm(published, ['pack', '--pack-destination', made]);
  });
  return join(folder, 'stackyard-registry-0.1.0.tgz');
}

/** An empty project with the package, whose home is empty; returns the project and the program. */
export async function installRegistry(
  folder: string,
): Promise<{ project: string; program: string; home: string }> {
  const [project, home] = [join(folder, 'tools'), join(folder, 'home')];
  for (const path of [project, home]) mkdirSync(path, { recursive: true });
  writeFileSync(join(project, 'package.json'), '{ "private": true }\n');
  const options = ['--no-audit', '--no-fund', '--ignore-scripts'];
  await runNpm(project, ['install', ...options, await packRegistry()]);
  return { project, home, program: join(project, 'node_modules/.bin/stackyard-registry') };
}
