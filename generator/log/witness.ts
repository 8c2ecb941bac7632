/** A witness of transparency logs (C2SP tlog-witness): what it has confirmed, what it answers, and its server. */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import Database from 'better-sqlite3';
import { sha256Hex } from '../../format/archive/integrity.ts';
import { StackyardError } from '../../format/errors.ts';
import {
  MAX_ADD_CHECKPOINT_BYTES,
  parseAddCheckpoint,
  EMPTY_ROOT,
  verifyConsistency,
} from '../../format/log/proof.ts';
import { parseCheckpoint, type Checkpoint } from '../../format/log/checkpoint.ts';
import {
  cosign,
  formatNote,
  formatSignature,
  parseNote,
  signersOf,
  type NoteKey,
  type NoteSigner,
  type Note,
} from '../../format/log/note-key.ts';

/** A state of a log. */
interface Confirmed {
  readonly size: number;
  readonly root: Uint8Array;
}

/** What becomes of a request: the state to keep, if any, with its signed note, and the answer. */
interface Decision<Answer> {
  readonly keep?: Confirmed;
  readonly note?: string;
  readonly answer: Answer;
}

export class WitnessStore {
  readonly #db: Database.Database;

  /** @param file made where there is none */
  constructor(file: string) {
    this.#db = new Database(file);
    // An answer promises that the state is on the disk.
    this.#db.pragma('synchronous = FULL');
    this.#db.pragma('busy_timeout = 5000');
    this.#db.exec(
      'CREATE TABLE IF NOT EXISTS confirmed (origin TEXT PRIMARY KEY, size INTEGER NOT NULL, root BLOB NOT NULL) WITHOUT ROWID',
    );
    this.#db.exec(
      'CREATE TABLE IF NOT EXISTS checkpoint (origin_hash TEXT PRIMARY KEY, note TEXT NOT NULL) WITHOUT ROWID',
    );
  }

  /**
   * Decides by what is kept of the log and keeps the decision, as one step: no other request, also of another process
   * with this file, comes between.
   */
  decide<Answer>(
    origin: string,
    decide: (latest: Confirmed | undefined) => Decision<Answer>,
  ): Answer {
    const step = this.#db.transaction((): Answer => {
      const select = 'SELECT size, root FROM confirmed WHERE origin = ?';
      const { keep, note, answer } = decide(
        this.#db.prepare(select).get(origin) as Confirmed | undefined,
      );
      if (keep !== undefined) {
        const insert = 'INSERT OR REPLACE INTO confirmed VALUES (?, ?, ?)';
        this.#db.prepare(insert).run(origin, keep.size, keep.root);
      }
      if (note !== undefined) {
        const insert = 'INSERT OR REPLACE INTO checkpoint VALUES (?, ?)';
        this.#db.prepare(insert).run(sha256Hex(Buffer.from(origin)), note);
      }
      return answer;
    });
    return step.immediate();
  }

  /** The newest confirmed checkpoint of the log whose origin has this SHA-256, as a signed note. */
  note(originHash: string): string | undefined {
    const select = 'SELECT note FROM checkpoint WHERE origin_hash = ?';
    return this.#db.prepare(select).pluck().get(originHash) as string | undefined;
  }

  close(): void {
    this.#db.close();
  }
}

interface Witness {
  readonly signer: NoteSigner;
  /** The keys of the logs that it confirms; the name of a key is the origin of its log. */
  readonly logs: readonly NoteKey[];
  readonly store: WitnessStore;
}

/** An answer over HTTP. */
interface WitnessAnswer {
  readonly status: number;
  readonly body: string;
  readonly type: string;
}

const PLAIN = 'text/plain; charset=utf-8';
/** Of an answer whose body is the size that the witness has. */
const SIZE_TYPE = 'text/x.tlog.size';

/** @param time seconds since 1970 */
function answerAddCheckpoint(
  body: Uint8Array,
  { signer, logs, store }: Witness,
  time: number,
): WitnessAnswer {
  let read: { request: ReturnType<typeof parseAddCheckpoint>; note: Note; checkpoint: Checkpoint };
  try {
    const request = parseAddCheckpoint(body);
    const note = parseNote(new TextEncoder().encode(request.note));
    read = { request, note, checkpoint: parseCheckpoint(note.text) };
  } catch (error) {
    if (!(error instanceof StackyardError)) throw error;
    return refusal(400, error.message);
  }
  const { request, note, checkpoint } = read;
  const { origin, size, root } = checkpoint;
  const keys = logs.filter(({ name }) => name === origin);
  if (keys.length === 0) return refusal(404, 'This witness does not know the log');
  if (!keys.some((key) => isSigned(note, key))) {
    return refusal(403, 'No known key of the log has signed the checkpoint');
  }
  const { oldSize, proof } = request;
  if (oldSize > size) return refusal(400, 'The old size is larger than that of the checkpoint');
  return store.decide(origin, (kept) => {
    const latest = kept ?? { size: 0, root: EMPTY_ROOT };
    const conflict = { status: 409, body: `${latest.size}\n`, type: SIZE_TYPE };
    if (oldSize !== latest.size) return { answer: conflict };
    if (!verifyConsistency(latest, { size, root }, proof)) {
      return {
        answer: refusal(422, 'The proof does not lead from the old size to the checkpoint'),
      };
    }
    const cosignature = cosign(note.text, signer, time);
    const signatures = note.signatures.filter(({ name, id }) =>
      keys.some((key) => key.name === name && key.id === id),
    );
    return {
      keep: { size, root },
      note: formatNote({ text: note.text, signatures: [...signatures, cosignature] }),
      answer: { status: 200, body: formatSignature(cosignature), type: PLAIN },
    };
  });
}

/**
 * The answer to `GET /<origin hash>/checkpoint`: the newest checkpoint that was confirmed, with the signatures of the
 * log and of the witness.
 * @param originHash SHA-256 of the origin in hexadecimal, lower case
 */
function answerCheckpoint(originHash: string, { store }: Witness): WitnessAnswer {
  const body = store.note(originHash);
  if (body === undefined)
    return refusal(404, 'This witness has confirmed no checkpoint of the log');
  return { status: 200, body, type: PLAIN };
}

function isSigned(note: Note, key: NoteKey): boolean {
  try {
    return signersOf(note, [key]).length > 0;
  } catch (error) {
    if (error instanceof StackyardError) return false;
    throw error;
  }
}

function refusal(status: number, problem: string): WitnessAnswer {
  return { status, body: `${problem}\n`, type: PLAIN };
}

const PATH = '/add-checkpoint';
const CHECKPOINT = /^\/([0-9a-f]{64})\/checkpoint$/;
const REQUEST_TIMEOUT_MS = 30_000;

/** Listens. @param port 0 takes a free one */
export async function serveWitness(witness: Witness, port: number, host: string): Promise<Server> {
  const server = createServer((request, response) => {
    void answer(request, witness)
      .catch((error: unknown): WitnessAnswer => {
        console.error(error);
        return { status: 500, body: 'The witness has a fault\n', type: 'text/plain' };
      })
      .then(({ status, body, type }) => {
        if (status === 405) response.setHeader('Allow', request.url === PATH ? 'POST' : 'GET');
        // The rest of a request that is too large is not read.
        if (status === 413) response.setHeader('Connection', 'close');
        response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' });
        response.end(body);
      });
  });
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return server;
}

async function answer(request: IncomingMessage, witness: Witness): Promise<WitnessAnswer> {
  const type = 'text/plain; charset=utf-8';
  const [, originHash] = CHECKPOINT.exec(request.url ?? '') ?? [];
  if (originHash !== undefined) {
    if (request.method === 'GET') return answerCheckpoint(originHash, witness);
    return { status: 405, body: 'Only GET is answered\n', type };
  }
  if (request.url !== PATH) {
    const body = `There is only ${PATH}, and /<SHA-256 of an origin>/checkpoint\n`;
    return { status: 404, body, type };
  }
  if (request.method !== 'POST') return { status: 405, body: 'Only POST is answered\n', type };
  const body = await readBody(request);
  if (body === undefined) return { status: 413, body: 'The request is too large\n', type };
  return answerAddCheckpoint(body, witness, Math.floor(Date.now() / 1000));
}

async function readBody(request: IncomingMessage): Promise<Uint8Array | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_ADD_CHECKPOINT_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
