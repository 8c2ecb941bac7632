/** The bucket of the index, as the workflow names it. */
import { openStore } from '../../generator/deploy/open-store.ts';
import type { Store } from '../../generator/deploy/store.ts';
import { optional, required } from './environment.ts';
import type { Environment } from './environment.ts';

export function storeOf(env: Environment): Store {
  return openStore(required(env, 'BUCKET'), { endpoint: optional(env, 'BUCKET_ENDPOINT') });
}
