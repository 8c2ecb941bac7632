/** Looks up a published version, `<owner>/<name>@<version>`, that a statement or a yank is about. */
import type { Head } from '../../format/index/record.ts';
import { isVersion } from '../../format/version/version.ts';
import { ClientError } from '../errors.ts';
import { noBuildNear } from '../search/near-builds.ts';
import { withRegistry } from '../registry/open-registry.ts';
import { chooseVersion } from '../resolve/choose-version.ts';
import { parseRequest } from '../resolve/request.ts';
import type { CommandContext, GlobalOptions } from '../terminal/command.ts';
import type { PublishedVersion } from './proposal.ts';

/** @throws {ClientError} `ERR_USAGE`, `ERR_BUILD_NOT_FOUND`, `ERR_VERSION_NOT_FOUND`, and those of the registry */
export async function publishedVersion(
  request: string,
  options: GlobalOptions,
  context: CommandContext,
): Promise<PublishedVersion> {
  const { id, range } = parseRequest(request);
  if (range === undefined || !isVersion(range)) {
    throw new ClientError('ERR_USAGE', `"${request}" names no version`, {
      hint: `write the exact version, such as ${id}@1.0.0`,
    });
  }
  const head = await publishedHead(id, options, context);
  const { version, integrity } = chooseVersion(id, head.versions, head.latest, range);
  if (version !== range) {
    throw new ClientError('ERR_VERSION_NOT_FOUND', `There is no version ${range} of "${id}"`, {
      hint: `the registry has ${head.versions
        .map((one) => one.version)
        .join(', ')
        .slice(0, 200)}`,
    });
  }
  const [owner = '', name = ''] = id.split('/');
  return { id, owner, name, version, integrity };
}

/** @throws {ClientError} `ERR_BUILD_NOT_FOUND` */
export async function publishedHead(
  id: string,
  options: GlobalOptions,
  context: CommandContext,
): Promise<Head> {
  return withRegistry(options, undefined, context, async (registry) => {
    const head = await registry.head(id);
    if (head === undefined) throw await noBuildNear(registry, id);
    return head;
  });
}
