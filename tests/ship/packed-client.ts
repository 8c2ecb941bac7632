/** The client as users get it: built, packed by npm, installed from the archive without a network. */
import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildClient } from '../../tools/build.ts';
import { runNpm } from '../run/provide-node.ts';
import type { Ended } from '../run/script-process.ts';

const ROOT = join(import.meta.dirname, '../..');
const run = promisify(execFile);

/** A folder that stays until `rmSync`, for data that several tests share. */
export function sharedFolder(): string {
  return mkdtempSync(join(tmpdir(), 'stackyard-ship-'));
}

/** The folder that is published: `client/` with what the build makes. */
export async function buildPackage(folder: string): Promise<string> {
  const published = join(folder, 'client');
  mkdirSync(published);
  for (const file of ['package.json', 'README.md', 'LICENSE']) {
    copyFileSync(join(ROOT, 'client', file), join(published, file));
  }
  await buildClient(join(published, 'dist'));
  return published;
}

/** Packs a package and installs the archive into an empty project; returns the project. */
export async function installPacked(published: string, folder: string): Promise<string> {
  const { stdout } = await runNpm(published, ['pack', '--json', '--pack-destination', folder]);
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  const project = join(folder, 'project');
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "name": "project", "type": "module" }\n');
  await runNpm(project, [
    'install',
    '--offline',
    '--no-audit',
    '--no-fund',
    join(folder, filename),
  ]);
  return project;
}

/** Runs a program to its end; its standard input is empty. */
export async function ended(program: string, args: readonly string[], cwd: string): Promise<Ended> {
  const env = { ...process.env, STACKYARD_REGISTRY: '', NO_COLOR: '1' };
  try {
    const child = run(program, args, { cwd, env });
    child.child.stdin?.end();
    return { status: 0, ...(await child) };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { status: code, stdout, stderr };
  }
}
