/** Whether a store obeys the conditions of a write, and a substitute where it does not. */
import { DEPLOY_FOLDER } from './manifest.ts';
import type { Manifest } from './manifest.ts';
import type { Store, WriteResult } from './store.ts';

const PROBE_PATH = `${DEPLOY_FOLDER}/probe`;
const HEADERS = { cacheControl: 'no-store', contentType: 'text/plain' };
/** The tag of no object: the MD5 of another text than the probe's. */
const NO_TAG = '"00000000000000000000000000000000"';

export type Conditions = Manifest['conditions'];

/** Tries both conditions where they must be refused. */
export async function probeConditions(store: Store): Promise<Conditions> {
  const text = Buffer.from('probe\n');
  await store.write(PROBE_PATH, text, HEADERS);
  const absent = await store.write(PROBE_PATH, text, HEADERS, 'absent');
  const tag = await store.write(PROBE_PATH, text, HEADERS, { tag: NO_TAG });
  await store.remove(PROBE_PATH);
  return { absent: absent.kind === 'refused', tag: tag.kind === 'refused' };
}

/**
 * The same store, which looks before it writes where it does not obey a condition itself. Between the look and the
 * write another deployment can write: there must be one at a time.
 */
export function withConditions(store: Store, { absent, tag }: Conditions): Store {
  if (absent && tag) return store;
  return {
    place: store.place,
    read: (path) => store.read(path),
    inspect: (path) => store.inspect(path),
    remove: (path) => store.remove(path),
    list: () => store.list(),
    settle: () => store.settle(),
    now: () => store.now(),
    clockAheadMs: () => store.clockAheadMs(),
    guardedBy: (check) => withConditions(store.guardedBy(check), { absent, tag }),
    write: async (path, bytes, headers, condition): Promise<WriteResult> => {
      const isObeyed = condition === 'absent' ? absent : tag;
      if (condition === undefined || isObeyed) return store.write(path, bytes, headers, condition);
      const facts = await store.inspect(path);
      const holds = condition === 'absent' ? facts === undefined : facts?.tag === condition.tag;
      return holds ? store.write(path, bytes, headers) : { kind: 'refused' };
    },
  };
}
