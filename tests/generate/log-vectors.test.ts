/**
 * Whole sets of public vectors, read from Go modules. Small ones are in `format/log/public-vectors.test.ts`. Needs `go`.
 *
 * - github.com/transparency-dev/merkle v0.0.2 (Apache-2.0), proof/verify_test.go: our verifier accepts and refuses what theirs does, of
 *   the proofs and of all that their tests alter in them.
 * - filippo.io/torchwood v0.9.0 (BSD-3-Clause), cmd/litewitness/testdata: requests of C2SP tlog-witness, with checkpoints that
 *   other software signed. Our witness answers as theirs.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import {
  cosignaturesOf,
  parseNote,
  parseNoteKey,
  type NoteKey,
} from '../../format/log/note-key.ts';
import { verifyConsistency, verifyInclusion } from '../../format/log/proof.ts';
import { temporaryFolder } from './git-fixture.ts';
import { WITNESS, witness } from './witness-fixture.ts';

const PROGRAM = join(import.meta.dirname, '../log-vectors/vectors_test.go');
const run = promisify(execFile);

interface Vector {
  readonly kind: 'inclusion' | 'consistency';
  readonly one: string;
  readonly other: string;
  readonly hashes: readonly [string | null, string | null];
  readonly proof: readonly string[] | null;
  readonly desc: string;
  readonly valid: boolean;
}

it('agrees with transparency-dev/merkle on its vectors and on what its tests alter in them', async () => {
  const folder = temporaryFolder();
  const [copy, file] = [join(folder, 'merkle'), join(folder, 'vectors')];
  cpSync(await moduleFolder('github.com/transparency-dev/merkle@v0.0.2'), copy, {
    recursive: true,
  });
  // The cache of modules is read-only.
  await run('chmod', ['-R', 'u+w', copy]);
  copyFileSync(PROGRAM, join(copy, 'proof/vectors_test.go'));
  chmodSync(join(copy, 'proof/vectors_test.go'), 0o644);
  const env = { ...process.env, VECTORS: file };
  await run('go', ['test', '-count=1', '-run', '^TestVectors$', './proof'], { cwd: copy, env });
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  const vectors = lines.map((line) => JSON.parse(line) as Vector);
  const count = (kind: Vector['kind'], valid: boolean): number =>
    vectors.filter((one) => one.kind === kind && one.valid === valid).length;
  expect([count('inclusion', true), count('consistency', true)]).toEqual([5, 5]);
  expect(count('inclusion', false)).toBeGreaterThan(60);
  expect(count('consistency', false)).toBeGreaterThan(70);
  expect(vectors.filter((vector) => isAccepted(vector) !== vector.valid)).toEqual([]);
}, 600_000);

/** A request of a witness and the answer to it, as a script for the program hurl has them. */
interface Exchange {
  readonly request: string;
  readonly status: number;
  /** The whole body, where the script states it. */
  readonly body: string | undefined;
}

function exchangesOf(script: string): Exchange[] {
  const blocks = script.matchAll(
    /^POST \S+\/add-checkpoint\n```\n([^]*?)^```\nHTTP (\d+)(?:\n\[Asserts\]\nbody == "(\d+)\\n")?/gm,
  );
  return [...blocks].map(([, request = '', status, body]) => {
    return { request, status: Number(status), body: body === undefined ? undefined : `${body}\n` };
  });
}

it('a witness answers the requests of litewitness as litewitness does', async () => {
  const source = await moduleFolder('filippo.io/torchwood@v0.9.0');
  const file = join(source, 'cmd/litewitness/testdata/litewitness.txt');
  const script = readFileSync(file, 'utf8');
  // One wrong signature has base64 with a bit that is not used as well: we refuse that by its form, with 400.
  expect(script).toContain('x6gx=');
  const exchanges = exchangesOf(script.replace('x6gx=', 'x6gw='));
  const statuses = exchanges.map(({ status }) => status);
  expect(statuses).toEqual([200, 403, 404, 422, 422, 200, 409, 200, 409]);
  const url = await witness(WITNESS, undefined, [logKeyOf(script)]);
  const answers = [];
  for (const { request, body } of exchanges) {
    const response = await fetch(`${url}/add-checkpoint`, { method: 'POST', body: request });
    const text = await response.text();
    if (response.status === 200) {
      const note = request.slice(request.indexOf('\n\n') + 2);
      const signed = parseNote(new TextEncoder().encode(note + text));
      expect(cosignaturesOf(signed, [WITNESS])).toHaveLength(1);
    }
    if (body !== undefined) expect(text).toBe(body);
    answers.push(response.status);
  }
  expect(answers).toEqual(statuses);
}, 600_000);

/** The key of the log that a script sets up: a log of Sigsum is named by the digest of its key. */
function logKeyOf(script: string): NoteKey {
  const [, hex = ''] = /^exec witnessctl add-sigsum-log -key=([0-9a-f]{64})$/m.exec(script) ?? [];
  const publicKey = Buffer.from(hex, 'hex');
  const name = `sigsum.org/v1/tree/${createHash('sha256').update(publicKey).digest('hex')}`;
  const [, line = ''] = /^— \S+ (\S+)$/m.exec(script) ?? [];
  const id = Buffer.from(line, 'base64').subarray(0, 4).toString('hex');
  const typed = Buffer.concat([Uint8Array.of(1), publicKey]).toString('base64');
  return parseNoteKey(`${name}+${id}+${typed}`);
}

/** The folder of a module, from the proxy of Go modules or from the machine's cache. */
async function moduleFolder(module: string): Promise<string> {
  const { stdout } = await run('go', ['mod', 'download', '-json', module], {
    cwd: temporaryFolder(),
  });
  return (JSON.parse(stdout) as { Dir: string }).Dir;
}

function isAccepted({ kind, one, other, hashes, proof }: Vector): boolean {
  const bytes = (text: string | null): Uint8Array => Buffer.from(text ?? '', 'base64');
  const [numberOne, numberOther] = [Number(one), Number(other)];
  const [hash, root] = [bytes(hashes[0]), bytes(hashes[1])];
  const steps = (proof ?? []).map(bytes);
  return kind === 'inclusion'
    ? verifyInclusion({ hash, index: numberOne }, { size: numberOther, root }, steps)
    : verifyConsistency({ size: numberOne, root: hash }, { size: numberOther, root }, steps);
}
