/** Witnesses for tests, over real HTTP. */
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { noteSigner } from '../../format/log/note-key.ts';
import type { NoteKey, NoteSigner } from '../../format/log/note-key.ts';
import { WitnessStore, serveWitness } from '../../generator/log/witness.ts';
import { temporaryFolder } from './git-fixture.ts';

export const LOG = noteSigner('registry.example/log', 'note', new Uint8Array(32).fill(1));

export const witnessNamed = (n: number): NoteSigner =>
  noteSigner(`witness.example/${n}`, 'cosignature', new Uint8Array(32).fill(n));

export const WITNESS = witnessNamed(3);

/** Serves a witness that confirms the logs; returns its address. */
export async function witness(
  signer = WITNESS,
  file = join(temporaryFolder(), 'w.sqlite'),
  logs: readonly NoteKey[] = [LOG],
): Promise<string> {
  const store = new WitnessStore(file);
  const server = await serveWitness({ signer, logs, store }, 0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
    store.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
