/** The command `witness`: serves a witness of transparency logs. */
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { formatNoteKey, parseNoteKey, parseNoteSigner } from '../../../format/log/note-key.ts';
import { usageError } from '../../errors.ts';
import { WitnessStore } from '../../witness/witness-store.ts';
import { serveWitness } from '../../witness/witness-server.ts';
import { parsePort } from './parse-port.ts';
import { parseOrRefuse, reportError } from './report-error.ts';

const usage = usageError('npm run witness -- --help');

const USAGE = `Usage: npm run witness -- --log KEY [--log KEY]... [--state FILE] [--port N] [--host ADDRESS]

Serves a witness: it confirms that a log only grows, and refuses everything else (C2SP tlog-witness).

  --log KEY       public key of a log to confirm; both keys while one replaces the other
  --state FILE    what it has confirmed, a SQLite file (default: witness.sqlite). Never restore an older copy.
  --port N        default: 4175
  --host ADDRESS  default: 127.0.0.1; put a server with https in front
  --help          print this

Environment: STACKYARD_WITNESS_KEY  the private key of the witness
("npm run --silent log:key -- --witness --name witness.example/w1" makes one)

Example: STACKYARD_WITNESS_KEY="$(cat witness.key)" npm run witness -- --log registry.example/log+5a1d0f3c+AQ…
`;

export async function main(argv: readonly string[]): Promise<number> {
  try {
    const values = parseValues(argv);
    if (values.help === true) {
      process.stdout.write(USAGE);
      return 0;
    }
    const signer = parseNoteSigner((process.env['STACKYARD_WITNESS_KEY'] ?? '').trim());
    const logs = (values.log ?? []).map(parseNoteKey);
    if (signer.kind !== 'cosignature') throw usage('STACKYARD_WITNESS_KEY is the key of a log');
    if (logs.length === 0) throw usage('Option --log is missing: there is no log to confirm');
    if (logs.some(({ kind }) => kind !== 'note')) throw usage('Option --log is no key of a log');
    const { state = 'witness.sqlite', host = '127.0.0.1' } = values;
    const port = parsePort(values.port ?? '4175', 'Option --port', usage);
    const store = new WitnessStore(state);
    const server = await serveWitness({ signer, logs, store }, port, host);
    const at = (server.address() as AddressInfo).port;
    console.log(`Witness ${formatNoteKey(signer)} at http://${host}:${at}/add-checkpoint`);
    const stop = (): void => void server.close(() => store.close());
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
    return 0;
  } catch (error) {
    reportError(error);
    return 2;
  }
}

function parseValues(argv: readonly string[]) {
  return parseOrRefuse(
    () =>
      parseArgs({
        args: [...argv],
        options: {
          log: { type: 'string', multiple: true },
          state: { type: 'string' },
          port: { type: 'string' },
          host: { type: 'string' },
          help: { type: 'boolean', short: 'h' },
        },
      }).values,
    usage,
  );
}
