/** The jobs of measure.yml and matrix.yml: one measures and runs code of builds; one commits the rows, and runs none. */
import { existsSync, lstatSync, readFileSync, readdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { canonicalJson } from '../../format/document/canonical-json.ts';
import { parseDocument } from '../../format/document/document.ts';
import { MAX_MATRIX_BYTES, Matrix } from '../../format/index/compatibility.ts';
import {
  CONFIG_FILE,
  SIGNALS_FOLDER,
  layoutIn,
  signalsFileAt,
  signalsPath,
} from '../../format/registry/repository-layout.ts';
import { escapeCommandData } from '../gate/verdict-text.ts';
import { mergeMatrix } from '../matrix/matrix-rows.ts';
import { openCodeHost, required, startDeployment, type Environment } from './code-host.ts';
import { commitFiles, runGit } from './push.ts';

const MESSAGE = 'Measure the compatibility of builds';

/** The job of measure.yml has 300. */
const MEASURING_MINUTES = 240;

/** The first job of measure.yml, in a repository that holds nothing but rows: measures the builds of a served registry. */
export async function measure(env: Environment, folder: string): Promise<number> {
  if (existsSync(join(folder, CONFIG_FILE))) {
    throw new Error(
      `This repository is a registry (it has ${CONFIG_FILE}), and measuring runs code of builds: call measure.yml from another repository, and name that one in the variable MATRIX_REPOSITORY here`,
    );
  }
  const { measureRegistry } = await import('../matrix/measure-registry.ts');
  const registry = required(env, 'BASE_URL');
  const options = { repo: folder, registry, builds: [], minutes: MEASURING_MINUTES };
  const { counts, problems } = await measureRegistry({ ...options, isDryRun: false });
  for (const { message } of problems) console.log(`::error::${escapeCommandData(message)}`);
  console.log(JSON.stringify(counts));
  return problems.length === 0 ? 0 : 1;
}

/**
 * Commits rows: in measure.yml those of the job before, in matrix.yml those that another repository has. What measured them ran code
 * of builds, so the files are hostile: only their names and what their schema allows is taken.
 */
export async function fileMatrix(env: Environment, folder: string): Promise<number> {
  const measured = readMeasured(required(env, 'MATRIX_FOLDER'));
  const { base, files } = await commitFiles(env, folder, MESSAGE, (at) => {
    return changedFiles(env, folder, at, measured);
  });
  if (files.length === 0) console.log('Nothing was measured');
  // A repository of rows has nothing to deploy.
  else if (runGit(env, folder, ['ls-tree', base, '--', CONFIG_FILE]) !== '') {
    await startDeployment(env, openCodeHost(env));
  }
  for (const { path } of files) console.log(`filed: ${path}`);
  return 0;
}

/** Build id to matrix, sorted. @throws {Error} for a file that is none */
function readMeasured(folder: string): [id: string, matrix: Matrix][] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => !lstatSync(join(folder, path)).isDirectory() && path !== '.gitkeep')
    .sort()
    .map((path) => {
      const { id, kind } = signalsFileAt(`${SIGNALS_FOLDER}/${path.replaceAll('\\', '/')}`) ?? {
        id: '',
      };
      if (kind !== 'matrix') {
        throw new Error(`The file ${JSON.stringify(path)} is not named after a build`);
      }
      const file = join(folder, path);
      const { size } = regularFile(file, id);
      if (size > MAX_MATRIX_BYTES) throw new Error(`The matrix of "${id}" has ${size} bytes`);
      return [id, parseDocument(Matrix, readFileSync(file), `the matrix of "${id}"`)];
    });
}

/** A link would take a file of this machine for a matrix. */
function regularFile(file: string, id: string): Stats {
  const stats = lstatSync(file);
  if (stats.isFile()) return stats;
  throw new Error(`The matrix of "${id}" is not a file`);
}

function changedFiles(
  env: Environment,
  folder: string,
  base: string,
  measured: readonly (readonly [string, Matrix])[],
): Awaited<ReturnType<typeof commitFiles>>['files'] {
  const isRegistry = runGit(env, folder, ['ls-tree', base, '--', CONFIG_FILE]) !== '';
  const config = isRegistry ? runGit(env, folder, ['show', `${base}:${CONFIG_FILE}`]) : '';
  const layout = layoutIn(config);
  return measured.flatMap(([id, matrix]) => {
    const path = signalsPath(id, 'matrix', layout);
    const isThere = runGit(env, folder, ['ls-tree', base, '--', path]) !== '';
    const before = isThere ? runGit(env, folder, ['show', `${base}:${path}`]) : '';
    const known = isThere
      ? parseDocument(Matrix, new TextEncoder().encode(before), `"${path}"`)
      : { versions: [] };
    const text = canonicalJson(mergeMatrix(known, matrix));
    return text === before ? [] : [{ path, text }];
  });
}
