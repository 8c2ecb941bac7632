/**
 * Commits rows: in measure.yml those of the job before, in matrix.yml those that another repository has. What measured them ran code
 * of builds, so the files are hostile: only their names and what their schema allows is taken.
 */
import { existsSync, lstatSync, readFileSync, readdirSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { join } from 'node:path';
import { isBuildId } from '../../format/build/build-id.ts';
import { canonicalJson } from '../../format/document/canonical-json.ts';
import { parseDocument } from '../../format/document/document.ts';
import { MAX_MATRIX_BYTES, Matrix } from '../../format/index/compatibility.ts';
import { CONFIG_FILE } from '../../format/registry/repository-layout.ts';
import { mergeMatrix } from '../../generator/matrix/matrix-rows.ts';
import { CodeHost } from './code-host.ts';
import { commitFiles } from './commit-files.ts';
import type { CommittedFile } from './commit-files.ts';
import { registryFolder, required } from './environment.ts';
import type { Environment } from './environment.ts';
import { fetchBase, runGit } from './fetch-sides.ts';
import { runScript } from './run-script.ts';

const ENDING = '.matrix.json';
const MESSAGE = 'Measure the compatibility of builds';
/** Others push to the branch as well; each try reads its position again. */
const MAX_TRIES = 10;

await runScript(() => main(process.env, registryFolder(process.env)));

async function main(env: Environment, folder: string): Promise<number> {
  const measured = readMeasured(required(env, 'MATRIX_FOLDER'));
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const base = fetchBase(env, folder);
    const files = changedFiles(env, folder, base, measured);
    if (files.length === 0) {
      console.log('Nothing was measured');
      return 0;
    }
    if (commitFiles(env, folder, base, files, MESSAGE) !== 'landed') continue;
    // A repository of rows has nothing to deploy.
    if (runGit(env, folder, ['ls-tree', base, '--', CONFIG_FILE]) !== '') {
      await new CodeHost(env).dispatch('deploy.yml', required(env, 'BASE_BRANCH'));
    }
    for (const { path } of files) console.log(`filed: ${path}`);
    return 0;
  }
  throw new Error(`The base branch moved ${MAX_TRIES} times while the files were committed`);
}

/** Build id to matrix, sorted. @throws {Error} for a file that is none */
function readMeasured(folder: string): [id: string, matrix: Matrix][] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => !lstatSync(join(folder, path)).isDirectory() && path !== '.gitkeep')
    .sort()
    .map((path) => {
      const id = path.replaceAll('\\', '/').slice(0, -ENDING.length);
      if (!path.endsWith(ENDING) || !isBuildId(id)) {
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
): CommittedFile[] {
  return measured.flatMap(([id, matrix]) => {
    const path = `signals/${id}${ENDING}`;
    const isThere = runGit(env, folder, ['ls-tree', base, '--', path]) !== '';
    const before = isThere ? runGit(env, folder, ['show', `${base}:${path}`]) : '';
    const known = isThere
      ? parseDocument(Matrix, new TextEncoder().encode(before), `"${path}"`)
      : { versions: [] };
    const text = canonicalJson(mergeMatrix(known, matrix));
    return text === before ? [] : [{ path, text }];
  });
}
