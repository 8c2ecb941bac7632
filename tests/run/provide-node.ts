/** A Node.js of another version for tests: the package `node`. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { installOnce } from './install-once.ts';

const run = promisify(execFile);

/** Returns the program of this version. */
export async function provideNode(version: string): Promise<string> {
  const home = await installOnce(`node-${version}`, async (folder) => {
    const manifest = { private: true, allowScripts: { node: true } };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
    const options = ['--no-audit', '--no-fund', '--ignore-scripts=false'];
    await runNpm(folder, ['install', ...options, `node@${version}`]);
  });
  return join(home, 'node_modules/.bin/node');
}

/** Runs npm in a folder, on the Node.js of the tests, regardless of the path. */
export async function runNpm(cwd: string, args: readonly string[]): Promise<{ stdout: string }> {
  const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env['PATH']}` };
  return run('npm', args, { cwd, env, maxBuffer: 10_000_000 });
}
