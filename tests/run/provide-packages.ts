/** Packages for tests, from npm. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installOnce } from './install-once.ts';
import { runNpm } from './provide-node.ts';

/** Returns the folder that has them in `node_modules`. */
function providePackages(name: string, packages: readonly string[]): Promise<string> {
  return installOnce(name, async (folder) => {
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
    await runNpm(folder, ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...packages]);
  });
}

/** Returns the file of the program. */
export async function provideRenovate(): Promise<string> {
  const home = await providePackages('renovate-44.121.2', ['renovate@44.121.2']);
  return join(home, 'node_modules/renovate/dist/renovate.js');
}
