/** `info --files` and `info <build> <file>`: shows the files of a build, or one of them, from the verified tarball and without installing. */
import type { TarballEntry } from '../../format/archive/tar.ts';
import { goneProblem } from '../../format/index/record.ts';
import { lockIfAny } from '../project/project.ts';
import type { Registries } from '../registry/registries.ts';
import { chooseVersion } from '../resolve/choose-version.ts';
import { parseRegistryRequest } from '../resolve/request.ts';
import { tryDecodeText } from '../edit/project-file.ts';
import { ClientError } from '../errors.ts';
import { readEntries } from '../change/fetch-builds.ts';
import { noBuildNear } from '../search/near-builds.ts';
import type { CommandContext, GlobalOptions, Outcome } from '../terminal/command.ts';
import { followMoves } from '../search/follow-moves.ts';
import { withRegistry } from '../registry/open-registry.ts';

interface ViewOptions extends GlobalOptions {
  /** Whether standard output is a terminal. */
  readonly isTerminal: boolean;
}

/** @throws {ClientError} `ERR_BUILD_NOT_FOUND`, `ERR_VERSION_NOT_FOUND`, `ERR_USAGE`, and those of the registry */
export async function view(
  text: string,
  file: string | undefined,
  options: ViewOptions,
  context: CommandContext,
): Promise<Outcome> {
  const wanted = parseRegistryRequest(text);
  const read = async (registry: Registries): Promise<Outcome> => {
    const { requests, notes } = await followMoves(registry, [wanted], undefined);
    const { id, range } = requests[0] ?? wanted;
    const head = await registry.head(id);
    if (head === undefined) throw await noBuildNear(registry, id);
    const { version, integrity } = chooseVersion(id, head.versions, head.latest, range);
    const gone = goneProblem(head, version);
    if (gone !== undefined) {
      throw new ClientError('ERR_VERSION_NOT_FOUND', gone.text, { hint: gone.hint });
    }
    const bytes = await registry.tarball(id, version, integrity);
    const entries = readEntries(id, version, bytes);
    const name = registry.isSeveral ? { registry: registry.entryOf(id).name } : {};
    const build = { id, version, integrity, ...name };
    if (file === undefined) return { ...listing(build, entries), warnings: notes };
    const entry = entries.find(({ path }) => path === file);
    if (entry === undefined) {
      throw new ClientError('ERR_USAGE', `"${id}" ${version} has no file ${JSON.stringify(file)}`, {
        hint: `see its files with: stackyard info ${id}@${version} --files`,
      });
    }
    return { ...showing(build, entry, options), warnings: notes };
  };
  return withRegistry(options, lockIfAny(options), context, read, 'reading');
}

function listing(build: object, entries: readonly TarballEntry[]): Outcome {
  const files = entries.map(({ path, executable, bytes }) => ({
    path,
    mode: executable ? '755' : '644',
    size: bytes.length,
  }));
  const width = Math.max(...files.map(({ size }) => String(size).length));
  const text = files.map(({ path, size }) => `${String(size).padStart(width)}  ${path}`);
  return { status: 'done', data: { ...build, files }, text };
}

function showing(
  build: object,
  { path, bytes }: TarballEntry,
  { isTerminal, json }: ViewOptions,
): Outcome {
  const content = tryDecodeText(bytes);
  const encoding = content === undefined ? 'base64' : 'utf-8';
  const coded = content ?? Buffer.from(bytes).toString('base64');
  const data = { ...build, path, size: bytes.length, encoding, content: coded };
  if (content === undefined && isTerminal && !json) {
    throw new ClientError('ERR_USAGE', `"${path}" is binary: ${bytes.length} bytes`, {
      hint: 'send it to a file: ... > file',
    });
  }
  // On a terminal, text passes the filter of control characters; a pipe gets the file unchanged.
  if (isTerminal) return { status: 'done', data, text: [content?.replace(/\n$/, '') ?? ''] };
  return { status: 'done', data, text: [], raw: bytes };
}
