/** The Node.js versions that projects run on. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder with the programs of a Node.js version, made in `folder`; `24` is the one that runs this. */
export function nodeFolder(folder: string, version: string): string {
  if (version === process.versions.node.split('.')[0]) return dirname(process.execPath);
  const home = join(folder, `node-${version}`);
  mkdirSync(home, { recursive: true });
  const manifest = {
    private: true,
    devDependencies: { node: version },
    allowScripts: { node: true },
  };
  writeFileSync(join(home, 'package.json'), JSON.stringify(manifest));
  execFileSync('npm', ['install', '--no-audit', '--no-fund'], { cwd: home, stdio: 'pipe' });
  return join(home, 'node_modules/node/bin');
}
