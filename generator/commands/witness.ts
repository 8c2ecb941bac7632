/** The command `witness`: serves a witness of transparency logs. */
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { defineCommand } from '../../format/command/command.ts';
import { formatNoteKey, parseNoteKey, parseNoteSigner } from '../../format/log/note-key.ts';
import { usageError } from '../errors.ts';
import { WitnessStore, serveWitness } from '../log/witness.ts';
import { port } from './fields.ts';

const DEFAULT_PORT = 4175;

export const command = defineCommand({
  description:
    'Serves a witness: it confirms that a log only grows, and refuses everything else (C2SP tlog-witness)',
  input: z.object({
    log: z.array(z.string()).min(1).meta({
      description:
        'public key of a log to confirm, which may be repeated; both keys while one replaces the other',
      placeholder: 'key',
    }),
    state: z.string().default('witness.sqlite').meta({
      description: 'what it has confirmed, a SQLite file; never restore an older copy',
      placeholder: 'file',
    }),
    port: port(String(DEFAULT_PORT)),
    host: z.string().default('127.0.0.1').meta({
      description: 'the address to listen at; put a server with https in front',
      placeholder: 'address',
    }),
  }),
  notes: [
    'Environment: STACKYARD_WITNESS_KEY is the private key of the witness; "stackyard-registry log:key --witness --name witness.example/w1" makes one.',
  ],
  examples: ['witness --log registry.example/log+5a1d0f3c+AQ…'],
  run: async ({ log, state, port: at = DEFAULT_PORT, host }) => {
    const signer = parseNoteSigner((process.env['STACKYARD_WITNESS_KEY'] ?? '').trim());
    const logs = log.map(parseNoteKey);
    if (signer.kind !== 'cosignature') {
      throw usageError('witness', 'STACKYARD_WITNESS_KEY is the key of a log');
    }
    if (logs.some(({ kind }) => kind !== 'note')) {
      throw usageError('witness', 'Option --log is not a key of a log');
    }
    const store = new WitnessStore(state);
    const server = await serveWitness({ signer, logs, store }, at, host);
    const bound = (server.address() as AddressInfo).port;
    console.log(`Witness ${formatNoteKey(signer)} at http://${host}:${bound}/add-checkpoint`);
    const stop = (): void => void server.close(() => store.close());
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
    return 0;
  },
});
