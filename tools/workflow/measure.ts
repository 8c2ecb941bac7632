/** The first job of measure.yml: measures the builds of a served registry, in a repository that holds nothing but rows. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CONFIG_FILE } from '../../format/registry/repository-layout.ts';
import { main as measure } from '../../generator/commands/main/matrix.ts';
import { registryFolder, required } from './environment.ts';
import type { Environment } from './environment.ts';
import { runScript } from './run-script.ts';

/** The job has 300. */
const MINUTES = '240';

await runScript(() => main(process.env, registryFolder(process.env)));

async function main(env: Environment, folder: string): Promise<number> {
  if (existsSync(join(folder, CONFIG_FILE))) {
    throw new Error(
      `This repository is a registry (it has ${CONFIG_FILE}), and measuring runs code of builds: call measure.yml from another repository, and name that one in the variable MATRIX_REPOSITORY here`,
    );
  }
  return measure(['--registry', required(env, 'BASE_URL'), '--repo', folder, '--minutes', MINUTES]);
}
