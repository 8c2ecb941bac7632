/** Which package manager of JavaScript a project uses. Reads only. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { detect } from 'package-manager-detector/detect';
import { ClientError } from '../errors.ts';
import { PACKAGE_JSON } from '../edit/project-file.ts';
import { field } from '../../format/document/canonical-json.ts';
import { readJson } from './read-file.ts';
import { findWorkspaceRoot } from './workspace.ts';

interface NodeManager {
  /** `npm`, `pnpm`, `yarn`, `bun`, `deno`, or another name that a project gives. */
  readonly name: string;
  /** The name, or `yarn@berry`. */
  readonly agent: string;
  /** The version that the project names. */
  readonly version?: string;
}

const LOCKS: Readonly<Record<string, readonly string[]>> = {
  npm: ['package-lock.json', 'npm-shrinkwrap.json'],
  pnpm: ['pnpm-lock.yaml'],
  yarn: ['yarn.lock'],
  bun: ['bun.lock', 'bun.lockb'],
  deno: ['deno.lock'],
};

/** Files that make a folder a Deno project. */
export const DENO_FILES: readonly string[] = ['deno.json', 'deno.jsonc', 'deno.lock'];

/** npm when the project gives no sign of another one. */
export async function findNodeManager(project: string): Promise<NodeManager> {
  const found = await detect({ cwd: project, stopDir: findWorkspaceRoot(project) });
  if (found !== null) {
    const { name, agent, version } = found;
    return { name, agent, ...(version !== undefined && { version }) };
  }
  const isDeno = isDenoProject(project);
  return isDeno ? { name: 'deno', agent: 'deno' } : { name: 'npm', agent: 'npm' };
}

export function isDenoProject(project: string): boolean {
  return DENO_FILES.some((file) => existsSync(join(project, file)));
}

/**
 * Refuses a project with the lock files of several package managers, unless it names the one to use.
 * @throws {ClientError} `ERR_PROJECT_FILE`
 */
export function checkOneManager(project: string): void {
  const top = findWorkspaceRoot(project);
  for (let folder = project; ; folder = dirname(folder)) {
    const present = Object.values(LOCKS).flatMap(
      (files) => files.find((file) => existsSync(join(folder, file))) ?? [],
    );
    const manifest = readJson(join(folder, PACKAGE_JSON));
    const isNamed =
      field(manifest, 'packageManager') !== undefined ||
      field(field(manifest, 'devEngines'), 'packageManager') !== undefined;
    if (isNamed || present.length === 1) return;
    if (present.length > 1) {
      const listed = present.map((file) => `"${file}"`).join(' and ');
      throw new ClientError(
        'ERR_PROJECT_FILE',
        `Cannot choose a package manager: "${folder}" has ${listed}`,
        {
          hint: 'delete the lock file that is not in use, set "packageManager" in package.json, or add --no-install',
        },
      );
    }
    if (folder === top || dirname(folder) === folder) return;
  }
}
