/** `info --provenance`: where a version comes from, verified with the log of its registry. */
import type { HeadVersion } from '../../format/index/record.ts';
import { statedCheckpoint } from '../registry/check-log.ts';
import type { Outcome } from '../terminal/command.ts';
import { noBuildNear } from '../search/near-builds.ts';
import type { Registries } from '../registry/registries.ts';
import { chooseVersion } from '../resolve/choose-version.ts';
import type { BuildRequest } from '../resolve/request.ts';
import { oneLine } from '../terminal/printable.ts';
import { span, type StyledText } from '../terminal/styled-text.ts';
import type { LockedLog } from '../../format/project/lock.ts';
import { checkProvenance, type Provenance } from '../../format/provenance/provenance.ts';
import { ClientError } from '../errors.ts';
import { checkLogs } from '../change/fetch-builds.ts';

/** @throws {ClientError} those of `readProvenance`, `ERR_BUILD_NOT_FOUND`, `ERR_VERSION_NOT_FOUND` */
export async function describeProvenance(
  registries: Registries,
  { id, range }: BuildRequest,
): Promise<Outcome> {
  const head = await registries.entryOf(id).registry.head(id);
  if (head === undefined) throw await noBuildNear(registries, id);
  const listed = chooseVersion(id, head.versions, head.latest, range);
  const verified = await readProvenance(registries, id, listed);
  const { statement, log } = verified;
  const data = { id, version: listed.version, statement, ...(log === undefined ? {} : { log }) };
  return { status: 'done', data, text: textOf(id, listed, verified) };
}

function textOf(
  id: string,
  { version, integrity, published_at }: HeadVersion,
  { statement, log }: VerifiedProvenance,
): StyledText[] {
  const { entry, index, gate } = statement.predicate;
  const facts: [string, string][] = [
    ['tarball', integrity],
    ['commit', entry.commit],
    ['tree', entry.tree],
    ['published', published_at],
    ['log', logLine(index, log)],
  ];
  if (gate === undefined)
    facts.push(['gate', 'nothing is known: no commit of the gate published it']);
  else {
    const { pull_request: number, verdict } = gate;
    facts.push(['pull request', String(number)]);
    if (verdict !== undefined) {
      facts.push(['verdict', `${verdict.result}, sha256 ${verdict.digest.sha256}`]);
    }
  }
  const lines = facts.map(([name, value]): StyledText => {
    return ['  ', span('faint', name), ' '.repeat(14 - name.length), oneLine(value)];
  });
  return [[span('strong', `${id}@${version}`)], '', ...lines];
}

function logLine(index: number, log: VerifiedProvenance['log']): string {
  if (log === undefined) return `entry ${index}, not proved: nobody signs the log`;
  const { origin, size } = statedCheckpoint(log.checkpoint);
  return `entry ${index} of ${size} in ${origin}, signed by ${log.key}`;
}

/** A statement that is what the log has. */
interface VerifiedProvenance {
  readonly statement: Provenance;
  /** What proves its entry; `undefined` where nobody signs the log, so that only the host states it. */
  readonly log: LockedLog | undefined;
}

/**
 * @param listed the version as the head has it
 * @throws {ClientError} `ERR_LOG` for a statement that is not what the log has, and those of the registry
 */
async function readProvenance(
  registries: Registries,
  id: string,
  listed: HeadVersion,
): Promise<VerifiedProvenance> {
  const { registry } = registries.entryOf(id);
  const { version, integrity, published_at } = listed;
  const logs = await checkLogs(registries, [[id, listed]]);
  const { provenance } = (await registry.version(id, version))!;
  const { index, entry: stated } = provenance.predicate;
  const { commit, tree } = stated;
  const published = { id, version, integrity, published_at, commit, tree };
  const checked = checkProvenance(provenance, { type: 'publish', ...published }, index);
  if ('provenance' in checked) return { statement: checked.provenance, log: logs.get(id) };
  throw new ClientError(
    'ERR_LOG',
    `Cannot trust the provenance of "${id}" ${version} from ${registry.base}: ${checked.problem}`,
    { hint: 'the host serves another one than the log has: report it to the registry' },
  );
}
