/** Stages where each published version comes from, made from its entry in the log and from the commit that it names. */
import { canonicalJson } from '../../format/document/canonical-json.ts';
import { provenancePath } from '../../format/index/layout.ts';
import { parseLogEntry } from '../../format/log/entry.ts';
import { TILE_WIDTH } from '../../format/log/tile.ts';
import { MAX_COMMIT_BYTES, provenanceOf } from '../../format/provenance/provenance.ts';
import type { LogTable } from '../state/log-table.ts';

/** Reads an object of git; `bytes` is absent when it is larger than `left`. */
type ReadObject = (
  oid: string,
  budget: { left: number },
) => Promise<{ readonly bytes: Uint8Array | undefined } | undefined>;

/** Stages those of the entries that the log has beyond its first `oldSize`. */
export async function writeProvenance(
  log: LogTable,
  oldSize: number,
  read: ReadObject,
  add: (path: string, content: string) => void,
): Promise<void> {
  const size = log.size();
  for (let from = oldSize; from < size; from += TILE_WIDTH) {
    const entries = log.entries(from, Math.min(size, from + TILE_WIDTH)).map(parseLogEntry);
    const published = entries.flatMap((entry, at) =>
      entry.type === 'publish' ? [{ entry, index: from + at }] : [],
    );
    // Each has its own budget: what is left out does not depend on the others of the run.
    const commits = await Promise.all(
      published.map(({ entry }) => read(entry.commit, { left: MAX_COMMIT_BYTES })),
    );
    for (const [at, { entry, index }] of published.entries()) {
      const statement = provenanceOf(entry, index, commits[at]?.bytes);
      add(provenancePath(entry.id, entry.version), canonicalJson(statement));
    }
  }
}
