/**
 * A whole set of public vectors, read from a Go module. Small ones are in `format/log/public-vectors.test.ts`. Needs `go`.
 *
 * github.com/transparency-dev/merkle v0.0.2 (Apache-2.0), proof/verify_test.go: our verifier accepts and refuses what theirs does,
 * of the proofs and of everything that their tests alter in them.
 */
import { execFile } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { verifyConsistency, verifyInclusion } from '../../format/log/proof.ts';
import { temporaryFolder } from './git-fixture.ts';

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
