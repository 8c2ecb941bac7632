/** A Node.js of another version for tests: the package `node`, installed once in a clone of the repository. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { makeOnce } from './make-once.ts';

const run = promisify(execFile);
/** To unpack the package takes longer than most tests. */
const CACHE = join(import.meta.dirname, '../../node_modules/.cache/stackyard-tests');

/** Returns the program of this version. */
export async function provideNode(version: string): Promise<string> {
  const home = join(CACHE, `node-${version}`);
  await makeOnce(`node-${version}`, async () => {
    if (existsSync(home)) return;
    const folder = `${home}.${process.pid}`;
    mkdirSync(folder, { recursive: true });
    const manifest = { private: true, allowScripts: { node: true } };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
    const options = ['--no-audit', '--no-fund', '--ignore-scripts=false'];
    await runNpm(folder, ['install', ...options, `node@${version}`]);
    rename(folder, home);
  });
  return join(home, 'node_modules/.bin/node');
}

/** Only a whole installation gets the name; that of another run at the same time is as good. */
function rename(folder: string, home: string): void {
  try {
    renameSync(folder, home);
  } catch (error) {
    rmSync(folder, { recursive: true });
    if (!existsSync(home)) throw error;
  }
}

/** Runs npm in a folder, on the Node.js of the tests, regardless of the path. */
export async function runNpm(cwd: string, args: readonly string[]): Promise<{ stdout: string }> {
  const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env['PATH']}` };
  return run('npm', args, { cwd, env, maxBuffer: 10_000_000 });
}
