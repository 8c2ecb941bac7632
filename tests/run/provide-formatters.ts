/** The formatters of projects for tests: programs of npm. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installOnce } from './install-once.ts';
import { runNpm } from './provide-node.ts';

const NPM = ['prettier@3.10.1', '@biomejs/biome@2.6.8', 'oxfmt@0.79.0'];

/** Returns the folder of the programs `prettier`, `biome` and `oxfmt`. */
export async function provideNodeFormatters(): Promise<string> {
  const home = await installOnce(nameOf(NPM), async (folder) => {
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
    await runNpm(folder, ['install', '--no-audit', '--no-fund', ...NPM]);
  });
  return join(home, 'node_modules/.bin');
}

function nameOf(packages: readonly string[]): string {
  return packages.map((text) => text.replaceAll(/[^\w.]+/g, '-')).join('_');
}
