/**
 * Provides the programs that the test suite needs in addition to npm packages: uses those that are
 * installed, installs the others when it runs as root on Debian, and otherwise lists the missing ones.
 *
 *     node tools/provide.ts [--long]
 *
 * `--long`: with those that only `npm run test:long` needs.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { isProgram } from '../client/project/find-program.ts';

interface Program {
  readonly name: string;
  /** Folders to search in addition to the path: `bin` in each of their folders. */
  readonly places?: string;
  /** The Debian package that contains it. */
  readonly debian: string;
  readonly why: string;
}

const PROGRAMS: readonly Program[] = [
  { name: 'git', debian: 'git', why: 'the repositories that the tests publish from' },
  { name: 'tar', debian: 'tar', why: 'lists tarballs independently of our own reader' },
  { name: 'openssl', debian: 'openssl', why: 'computes digests independently of our own code' },
  { name: 'python3', debian: 'python3', why: 'an object store and a verifier of logs' },
  {
    name: 'initdb',
    places: '/usr/lib/postgresql',
    debian: 'postgresql',
    why: 'a real PostgreSQL for the auth service',
  },
  { name: 'zsh', debian: 'zsh', why: 'a shell whose completion is tested' },
  { name: 'fish', debian: 'fish', why: 'a shell whose completion is tested' },
  { name: 'script', debian: 'bsdutils', why: 'a terminal for the questions of the client' },
  { name: 'chromium', debian: 'chromium', why: 'the browser that opens pages of the site' },
];

const LONG_PROGRAMS: readonly Program[] = [
  { name: 'go', debian: 'golang-go', why: 'a program that reads our log with the packages of Go' },
  { name: 'nginx', debian: 'nginx-light', why: 'a host of indexes' },
  { name: 'caddy', debian: 'caddy', why: 'a host of indexes' },
];

/** Those of `programs` that no folder of `path` has. */
export function missingPrograms(programs: readonly Program[], path: string): Program[] {
  const folders = path.split(delimiter).filter((folder) => folder !== '');
  return programs.filter(({ name, places }) => {
    const all = [...folders, ...(places === undefined ? [] : binFolders(places))];
    return !all.some((folder) => isProgram(join(folder, name)));
  });
}

if (import.meta.main) {
  const isLong = process.argv.includes('--long');
  process.exitCode = provide(isLong ? [...PROGRAMS, ...LONG_PROGRAMS] : PROGRAMS);
}

function provide(programs: readonly Program[]): number {
  const find = (): Program[] => missingPrograms(programs, process.env['PATH'] ?? '');
  const absent = find();
  if (absent.length > 0 && canInstall()) install(absent.map(({ debian }) => debian));
  const missing = find();
  if (missing.length === 0) return 0;
  for (const { name, why } of missing)
    console.error(`error: Cannot find program "${name}": ${why}`);
  const packages = missing.map(({ debian }) => debian).join(' ');
  console.error(
    `hint: install it, on Debian with "apt-get install ${packages}"; or run npm run test:unit`,
  );
  return 1;
}

function canInstall(): boolean {
  return process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0;
}

function install(packages: readonly string[]): void {
  console.log(`Installing ${packages.join(', ')}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const steps = [['update'], ['install', '-y', '--no-install-recommends', ...packages]];
  for (const step of steps) spawnSync('apt-get', ['-qq', ...step], { env, stdio: 'inherit' });
}

function binFolders(places: string): string[] {
  return existsSync(places) ? readdirSync(places).map((name) => join(places, name, 'bin')) : [];
}
