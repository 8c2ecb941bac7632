/** Reads `registry.config.json` as the indexed commit holds it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument } from '../format/document/document.ts';
import { StackyardError } from '../format/errors.ts';
import { RegistryConfig } from '../format/registry/registry-config.ts';
import {
  BUILDS_FOLDER,
  CONFIG_FILE,
  TOP,
  layoutIn,
  type Layout,
} from '../format/registry/repository-layout.ts';
import { GeneratorError, usageError } from './errors.ts';
import type { ObjectReader } from './git/object-reader.ts';
import { countCommits, isOnMainLine, type Repository } from './git/repository.ts';

const MEND = `mend the field and commit "${CONFIG_FILE}"; its schema is schemas/registry-config.schema.json`;

interface LoadedConfig {
  readonly config: RegistryConfig;
  /** Object id of the file; `""` when there is none. */
  readonly blob: string;
}

/** @throws {GeneratorError} `ERR_CONFIG` naming the field and what it must be */
export async function loadConfig(
  repository: Repository,
  reader: ObjectReader,
): Promise<LoadedConfig> {
  const object = await reader.read(`${repository.head}:${CONFIG_FILE}`);
  if (object === undefined) return { config: RegistryConfig.parse({}), blob: '' };
  try {
    const bytes = object.bytes ?? new Uint8Array();
    const config = parseDocument(
      RegistryConfig,
      bytes,
      `"${CONFIG_FILE}" of commit ${repository.head}`,
    );
    return {
      config: { ...config, base_url: config.base_url.replace(/\/+$/, '') },
      blob: object.oid,
    };
  } catch (cause) {
    if (!(cause instanceof StackyardError)) throw cause;
    throw new GeneratorError('ERR_CONFIG', cause.message, {
      cause,
      hint: layoutHint(object.bytes) ?? MEND,
    });
  }
}

/** What to do with the field "layout", which earlier versions had. */
function layoutHint(bytes: Uint8Array | undefined): string | undefined {
  const layout = /"layout"\s*:\s*"(flat|sharded)"/.exec(Buffer.from(bytes ?? []).toString())?.[1];
  return layout === 'sharded'
    ? `only version 0.1 reads shards: stay with it, or start a new registry: move builds/<ab>/<cd>/<owner> to builds/<owner>, do the same in signals/, remove "layout", and set "from" to the commit before the move`
    : layout && 'remove field "layout": "flat" is the only layout';
}

/**
 * Reads a configuration that is a file.
 * @throws {GeneratorError} `ERR_USAGE` of `command` where it cannot be read; {FormatError} for another form
 */
export function readConfigFile(command: string, file: string): RegistryConfig {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(file);
  } catch {
    throw usageError(command, `Cannot read "${file}"`);
  }
  return parseDocument(RegistryConfig, bytes, `"${file}"`);
}

/** The root that the configuration in a working tree names. */
export function layoutOf(folder: string): Layout {
  try {
    return layoutIn(readFileSync(join(folder, CONFIG_FILE)));
  } catch {
    return TOP;
  }
}

/**
 * The repository with the folder of the registry, and the commit after which its publications count, which the configuration of a
 * clone or fork names.
 * @throws {GeneratorError} `ERR_CONFIG` for a commit that is not on its main line
 */
export async function countedFrom(
  repository: Repository,
  { from, root }: RegistryConfig,
): Promise<Repository> {
  if (from === undefined) return { ...repository, root };
  if (await isOnMainLine(repository, from)) return { ...repository, root, from };
  throw new GeneratorError(
    'ERR_CONFIG',
    `Cannot use "${CONFIG_FILE}" of commit ${repository.head}: field "from" is no commit of its main line`,
    { hint: 'name the full id of a commit that "git log --first-parent" lists' },
  );
}

/**
 * Refuses a repository that is no registry: it has commits, and neither configuration nor builds.
 * @throws {GeneratorError} `ERR_NO_BUILDS`
 */
export async function requireBuilds(
  repository: Repository,
  reader: ObjectReader,
  { blob }: LoadedConfig,
): Promise<void> {
  if (blob !== '' || (await reader.read(`${repository.head}:${BUILDS_FOLDER}`)) !== undefined)
    return;
  if ((await countCommits(repository, undefined, BUILDS_FOLDER)) > 0) return;
  throw new GeneratorError(
    'ERR_NO_BUILDS',
    `Cannot read "${repository.folder}": it has no builds/ folder at its root`,
    { hint: 'commit a build under builds/<owner>/<name>/, or give another folder with --repo' },
  );
}
