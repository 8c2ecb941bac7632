/** The CLI of shadcn for tests, from npm. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installOnce } from './install-once.ts';
import { runNpm } from './provide-node.ts';

const PACKAGE = 'shadcn@4.23.0';

/** Returns the file of the program. */
export async function provideShadcn(): Promise<string> {
  const home = await installOnce(PACKAGE.replace('@', '-'), async (folder) => {
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
    await runNpm(folder, ['install', '--ignore-scripts', '--no-audit', '--no-fund', PACKAGE]);
  });
  return join(home, 'node_modules/shadcn/dist/index.js');
}
