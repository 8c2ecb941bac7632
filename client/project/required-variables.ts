/** The environment variables that installed builds require, and whether a project sets them. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import type { Manifest } from '../../format/build/manifest.ts';

const ENV_FILES = ['.env', '.env.local'];

/** Files with variables that begin with a byte order mark, which programs take for a part of the first name. */
export function markedEnvFiles(project: string): string[] {
  return ENV_FILES.filter((name) => {
    const file = join(project, name);
    return existsSync(file) && readFileSync(file, 'utf8').startsWith('\uFEFF');
  });
}

interface RequiredVariable {
  readonly name: string;
  /** When, as its description limits it. */
  readonly when: Need;
}

/** `not-development`: unless NODE_ENV is exactly `development` or `test`. */
type Need = 'always' | 'production' | 'not-development';

/** Of two builds that require a variable, the one that does so more often counts. */
const NEEDS: readonly Need[] = ['production', 'not-development', 'always'];

/** Sorted by name. */
export function requiredVariables(manifests: readonly Manifest[]): RequiredVariable[] {
  const found = new Map<string, Need>();
  for (const { env = {} } of manifests) {
    for (const [name, { required, description = '' }] of Object.entries(env)) {
      if (required !== true) continue;
      const [need, other] = [needOf(description), found.get(name) ?? 'production'];
      found.set(name, NEEDS.indexOf(other) > NEEDS.indexOf(need) ? other : need);
    }
  }
  return [...found]
    .map(([name, when]) => ({ name, when }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function needOf(description: string): Need {
  if (/\brequired in production\b/i.test(description)) return 'production';
  const isLimited = /\brequired unless NODE_ENV is (?:exactly )?development or test\b/i;
  return isLimited.test(description) ? 'not-development' : 'always';
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
  const mode = values.get('NODE_ENV') ?? 'development';
  const unset = required.filter(({ name }) => !values.has(name));
  const isLater = ({ when }: RequiredVariable): boolean =>
    (when === 'production' && mode !== 'production') ||
    (when === 'not-development' && ['development', 'test'].includes(mode));
  return {
    needed: unset.filter((one) => !isLater(one)).map(({ name }) => name),
    later: unset.filter(isLater).map(({ name }) => name),
  };
}
