/** Projects with builds for inventories, and a run of `stackyard-registry fleet`. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FleetDocument } from '../../generator/fleet/fleet-document.ts';
import { makeProject, readProject, stackyard } from '../client/registry-fixture.ts';
import { GitFixture, build, temporaryFolder } from '../generate/git-fixture.ts';
import { runCommand } from '../run/generator-command.ts';

export const TOKEN = 'fleet-0123456789';

export function published(): GitFixture {
  const git = new GitFixture();
  git.commit(build('bob/store', '1.0.0', { base: 'src/store' }));
  git.commit(build('alice/web', '1.0.0', { base: 'src/web', builds: { 'bob/store': '^1.0.0' } }));
  return git;
}

/** The files of a project with builds, as `stackyard add` leaves them. */
export async function installed(url: string, ...builds: string[]): Promise<Record<string, string>> {
  const project = makeProject();
  const variables = { STACKYARD_REGISTRY: url, STACKYARD_CACHE: join(temporaryFolder(), 'cache') };
  const ended = await stackyard(['add', ...builds, '--no-install', '-C', project], variables);
  if (ended.status !== 0) throw new Error(ended.stderr);
  return readProject(project);
}

export async function runFleet(out: string, ...args: string[]) {
  const variables = { STACKYARD_FLEET_TOKEN: TOKEN, CODE_HOST_WAIT_SECONDS: '0' };
  const ended = await runCommand('fleet', ['--out', out, ...args], variables);
  const file = join(out, 'fleet.json');
  const fleet = existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as FleetDocument)
    : undefined;
  return { ...ended, fleet: fleet! };
}
