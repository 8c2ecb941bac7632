/** The server of a witness: `POST /add-checkpoint` and `GET /<SHA-256 of an origin>/checkpoint`. */
import { createServer } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import { MAX_ADD_CHECKPOINT_BYTES } from '../../format/log/add-checkpoint.ts';
import { answerAddCheckpoint, answerCheckpoint } from './answer-add-checkpoint.ts';
import type { Witness, WitnessAnswer } from './answer-add-checkpoint.ts';

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
