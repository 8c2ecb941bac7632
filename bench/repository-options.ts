/** The options that the benchmarks with a generated repository share. */
import { tmpdir } from 'node:os';
import { parseArgs } from 'node:util';
import type { MadeRepository } from './made-repository.ts';

export interface RepositoryOptions extends MadeRepository {
  readonly rounds: number;
  /** Where the temporary folder is made. */
  readonly folder: string;
  /** Whether the benchmark also measures what takes many minutes. */
  readonly large: boolean;
}

/**
 * Reads `--builds`, `--versions`, `--files`, `--rounds`, `--folder` and `--large` of the command line.
 * @param defaults values of the options that the command line does not set
 * @throws {TypeError} another option
 */
export function repositoryOptions(
  defaults: Omit<RepositoryOptions, 'folder' | 'large'>,
): RepositoryOptions {
  const { values } = parseArgs({
    options: {
      builds: { type: 'string', default: String(defaults.builds) },
      versions: { type: 'string', default: String(defaults.versions) },
      files: { type: 'string', default: String(defaults.files) },
      rounds: { type: 'string', default: String(defaults.rounds) },
      folder: { type: 'string', default: tmpdir() },
      large: { type: 'boolean', default: false },
    },
  });
  const { builds, versions, files, rounds, folder, large } = values;
  return {
    builds: Number(builds),
    versions: Number(versions),
    files: Number(files),
    rounds: Number(rounds),
    folder,
    large,
  };
}
