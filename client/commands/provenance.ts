/** `info --provenance`: where a version comes from, verified with the log of its registry. */
import type { HeadVersion } from '../../format/index/head.ts';
import { statedCheckpoint } from '../registry/log/read-checkpoint.ts';
import type { Outcome } from '../operation/command.ts';
import { noBuildNear } from '../operation/near-build.ts';
import { readProvenance } from '../operation/provenance.ts';
import type { VerifiedProvenance } from '../operation/provenance.ts';
import type { Registries } from '../registry/registries.ts';
import { chooseVersion } from '../resolve/choose-version.ts';
import type { BuildRequest } from '../resolve/request.ts';
import { oneLine } from '../terminal/printable.ts';
import { span } from '../terminal/styled-text.ts';
import type { StyledText } from '../terminal/styled-text.ts';

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
