/** A server with the interface of S3, for tests: moto. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { setTimeout as wait } from 'node:timers/promises';
import { findFreePort } from '../../tools/free-port.ts';
import { providePython } from '../run/provide-python.ts';

/** A running server. */
export interface S3Server {
  readonly endpoint: string;
  /** Variables of a process that may write to it. */
  readonly env: Readonly<Record<string, string>>;
  readonly stop: () => Promise<void>;
}

/** Without its extra `server`, which has twice as many packages, for services other than S3. */
const MOTO = ['moto[s3]==5.2.5', 'flask==3.1.3', 'flask-cors==6.0.5'];
const START_MS = 60_000;

const MOTO_ENV = { AWS_ACCESS_KEY_ID: 'testing', AWS_SECRET_ACCESS_KEY: 'testing' };

/** Starts moto on a free port. It accepts every key. */
export async function startMoto(): Promise<S3Server> {
  const packages = await providePython(MOTO);
  const port = await findFreePort();
  const server = spawn('python3', ['-m', 'moto.server', '-H', '127.0.0.1', '-p', String(port)], {
    // Compiled once, also where the environment forbids it: to compile its modules takes most of its start.
    env: { ...process.env, PYTHONPATH: packages, PYTHONDONTWRITEBYTECODE: '' },
    stdio: 'ignore',
  });
  const endpoint = `http://127.0.0.1:${port}`;
  await answers(endpoint, server);
  return { endpoint, env: MOTO_ENV, stop: () => stopped(server) };
}

/** Makes an empty bucket of a name that no other test has; returns the name. */
export async function makeBucket({ endpoint, env }: S3Server): Promise<string> {
  const credentials = {
    accessKeyId: env['AWS_ACCESS_KEY_ID'] ?? '',
    secretAccessKey: env['AWS_SECRET_ACCESS_KEY'] ?? '',
  };
  const client = new S3Client({ endpoint, region: 'us-east-1', forcePathStyle: true, credentials });
  const Bucket = `test-${process.pid}-${(buckets += 1)}`;
  await client.send(new CreateBucketCommand({ Bucket }));
  client.destroy();
  return Bucket;
}

let buckets = 0;

/** Resolves when a server responds to HTTP. */
async function answers(endpoint: string, server: ChildProcess): Promise<void> {
  for (const end = Date.now() + START_MS; ; await wait(100)) {
    if (server.exitCode !== null)
      throw new Error(`The server ended with status ${server.exitCode}`);
    const isUp = await fetch(endpoint).then(
      () => true,
      () => false,
    );
    if (isUp) return;
    if (Date.now() > end) throw new Error(`No server responds at ${endpoint}`);
  }
}

/** Ends a process; resolves when it has ended. */
async function stopped(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  server.kill('SIGKILL');
  await once(server, 'exit');
}
