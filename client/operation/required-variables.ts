/** The environment variables that installed builds require, and whether a project sets them. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import type { Manifest } from '../../format/build/manifest.ts';

const ENV_FILES = ['.env', '.env.local'];

export interface RequiredVariable {
  readonly name: string;
  /** Whether its description limits that to production. */
  readonly isOfProduction: boolean;
}

/** Sorted by name. A variable that one build always requires is not of production alone. */
export function requiredVariables(manifests: readonly Manifest[]): RequiredVariable[] {
  const found = new Map<string, boolean>();
  for (const { env = {} } of manifests) {
    for (const [name, { required, description = '' }] of Object.entries(env)) {
      if (required !== true) continue;
      found.set(name, (found.get(name) ?? true) && /\brequired in production\b/i.test(description));
    }
  }
  return [...found]
    .map(([name, isOfProduction]) => ({ name, isOfProduction }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Those that neither this process nor the project's files set; of them those that are needed only later. */
export function unsetVariables(
  project: string,
  required: readonly RequiredVariable[],
): { readonly needed: string[]; readonly later: string[] } {
  const values = new Map<string, string>();
  const read = (variables: NodeJS.Dict<string>): void => {
    for (const [key, value = ''] of Object.entries(variables)) {
      if (value !== '' && !values.has(key)) values.set(key, value);
    }
  };
  read(process.env);
  for (const file of ENV_FILES) {
    const path = join(project, file);
    if (existsSync(path)) read(parseEnv(readFileSync(path, 'utf8')));
  }
  const isProduction = values.get('NODE_ENV') === 'production';
  const unset = required.filter(({ name }) => !values.has(name));
  const isLater = ({ isOfProduction }: RequiredVariable): boolean =>
    isOfProduction && !isProduction;
  return {
    needed: unset.filter((one) => !isLater(one)).map(({ name }) => name),
    later: unset.filter(isLater).map(({ name }) => name),
  };
}
