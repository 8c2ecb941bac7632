/** Reads where a version comes from, and verifies it with the transparency log of its registry. */
import type { PublishEntry } from '../../format/log/entry.ts';
import type { HeadVersion } from '../../format/index/head.ts';
import { provenancePath } from '../../format/index/layout.ts';
import type { LockedLog } from '../../format/lock/lock.ts';
import { checkProvenance } from '../../format/provenance/provenance.ts';
import type { Provenance } from '../../format/provenance/provenance.ts';
import { ClientError } from '../errors.ts';
import type { Registries } from '../registry/registries.ts';
import { checkLogs } from './check-logs.ts';

/** A statement that is what the log has. */
export interface VerifiedProvenance {
  readonly statement: Provenance;
  /** What proves its entry; `undefined` where nobody signs the log, so that only the host states it. */
  readonly log: LockedLog | undefined;
}

/**
 * @param listed the version as the head has it
 * @throws {ClientError} `ERR_LOG` for a statement that is not what the log has, `ERR_REGISTRY_ANSWER` where there is
 * none, and those of the registry
 */
export async function readProvenance(
  registries: Registries,
  id: string,
  listed: HeadVersion,
): Promise<VerifiedProvenance> {
  const { registry } = registries.entryOf(id);
  const { version, integrity, published_at, log: place } = listed;
  const logs = await checkLogs(registries, [[id, listed]]);
  const bytes = await registry.indexFile(provenancePath(id, version));
  if (bytes === undefined || place === undefined) {
    throw new ClientError(
      'ERR_REGISTRY_ANSWER',
      `${registry.base} does not state where "${id}" ${version} comes from`,
      { hint: 'an older generator made its index, or the file is missing: ask its operator' },
    );
  }
  const { index, ...object } = place;
  const published = { id, version, integrity, published_at, ...object };
  const entry: PublishEntry = { type: 'publish', ...published };
  const checked = checkProvenance(bytes, entry, index);
  if ('provenance' in checked) return { statement: checked.provenance, log: logs.get(id) };
  throw new ClientError(
    'ERR_LOG',
    `Cannot trust the provenance of "${id}" ${version} from ${registry.base}: ${checked.problem}`,
    { hint: 'the host serves another one than the log has: report it to the registry' },
  );
}
