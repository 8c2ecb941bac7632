/** A witness over real HTTP: each answer of the protocol, forks, and requests at one time. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../../format/archive/integrity.ts';
import {
  formatAddCheckpoint,
  EMPTY_ROOT,
  leafHash,
  consistencyProof,
  treeRoot,
} from '../../format/log/proof.ts';
import { formatCheckpoint, parseCheckpoint } from '../../format/log/checkpoint.ts';
import {
  cosignaturesOf,
  formatNote,
  parseNote,
  signNote,
  signersOf,
  noteSigner,
  type NoteSigner,
} from '../../format/log/note-key.ts';
import { madeLeaves, subtreesOf } from '../log-vectors/made-tree.ts';
import { expectToSurvive } from '../run/raw-request.ts';
import { temporaryFolder } from './git-fixture.ts';
import { LOG, WITNESS, witness } from './witness-fixture.ts';

const OTHER = noteSigner('registry.example/log', 'note', new Uint8Array(32).fill(2));
const LEAVES = madeLeaves(600);
/** Another log: its entry 2 differs. */
const FORKED = LEAVES.with(2, leafHash(Uint8Array.of(7)));

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

async function post(url: string, body: string | Uint8Array): Promise<Answer> {
  const response = await fetch(`${url}/add-checkpoint`, { method: 'POST', body: body as string });
  const { status, headers } = response;
  return { status, type: headers.get('Content-Type') ?? '', text: await response.text() };
}

function noteOf(
  size: number,
  leaves = LEAVES,
  signers: readonly NoteSigner[] = [LOG],
  origin = LOG.name,
): string {
  const root = size === 0 ? EMPTY_ROOT : treeRoot(size, subtreesOf(leaves));
  const text = formatCheckpoint({ origin, size, root });
  return formatNote({ text, signatures: signers.map((signer) => signNote(text, signer)) });
}

function requestOf(oldSize: number, size: number, leaves = LEAVES): string {
  const proof = consistencyProof(oldSize, size, subtreesOf(leaves));
  return formatAddCheckpoint({ oldSize, proof, note: noteOf(size, leaves) });
}

const size = (n: number): Answer => ({ status: 409, type: 'text/x.tlog.size', text: `${n}\n` });

describe('a witness', () => {
  it('confirms a log that grows, also again and the empty one', async () => {
    const url = await witness();
    for (const [from, to] of [
      [0, 0],
      [0, 3],
      [3, 3],
      [3, 256],
      [256, 600],
    ] as const) {
      const { status, text } = await post(url, requestOf(from, to));
      expect(status).toBe(200);
      const note = parseNote(new TextEncoder().encode(noteOf(to) + text));
      const [cosignature] = cosignaturesOf(note, [WITNESS]);
      expect(Math.abs(cosignature!.time - Date.now() / 1000)).toBeLessThan(600);
    }
  });

  it('answers 409 with its size where the old size is another', async () => {
    const url = await witness();
    expect(await post(url, requestOf(2, 5))).toEqual(size(0));
    await post(url, requestOf(0, 5));
    expect(await post(url, requestOf(0, 9))).toEqual(size(5));
    expect(await post(url, requestOf(3, 4))).toEqual(size(5));
    expect(await post(url, requestOf(9, 9))).toEqual(size(5));
  });

  it('refuses forks with 422, of the same size and of a larger one', async () => {
    const url = await witness();
    await post(url, requestOf(0, 5));
    expect((await post(url, requestOf(5, 5, FORKED))).status).toBe(422);
    expect((await post(url, requestOf(5, 9, FORKED))).status).toBe(422);
    const unproved = formatAddCheckpoint({ oldSize: 5, proof: [], note: noteOf(9, FORKED) });
    expect((await post(url, unproved)).status).toBe(422);
    // It kept what it had.
    expect((await post(url, requestOf(5, 9))).status).toBe(200);
  });

  it('refuses an empty log with another root than that of the empty tree', async () => {
    const url = await witness();
    const text = formatCheckpoint({ origin: LOG.name, size: 0, root: LEAVES[0]! });
    const note = formatNote({ text, signatures: [signNote(text, LOG)] });
    const request = formatAddCheckpoint({ oldSize: 0, proof: [], note });
    expect((await post(url, request)).status).toBe(422);
    expect((await post(url, requestOf(0, 0))).status).toBe(200);
  });

  it('serves the newest checkpoint that it confirmed, with both signatures', async () => {
    const url = await witness();
    const address = `${url}/${sha256Hex(Buffer.from(LOG.name))}/checkpoint`;
    expect((await fetch(address)).status).toBe(404);
    await post(url, requestOf(0, 3));
    await post(url, requestOf(3, 5, FORKED));
    await post(url, requestOf(3, 256));
    const stranger = noteSigner(LOG.name, 'note', new Uint8Array(32).fill(3));
    const proof = consistencyProof(256, 600, subtreesOf(LEAVES));
    const signed = noteOf(600, LEAVES, [LOG, stranger]);
    await post(url, formatAddCheckpoint({ oldSize: 256, proof, note: signed }));
    const response = await fetch(address);
    expect(response.headers.get('Content-Type')).toBe('text/plain; charset=utf-8');
    const note = parseNote(new Uint8Array(await response.arrayBuffer()));
    expect(parseCheckpoint(note.text)).toMatchObject({ origin: LOG.name, size: 600 });
    expect(note.signatures).toHaveLength(2);
    expect(signersOf(note, [LOG])).toHaveLength(1);
    expect(cosignaturesOf(note, [WITNESS])).toHaveLength(1);
    const posted = await fetch(address, { method: 'POST' });
    expect([posted.status, posted.headers.get('Allow')]).toEqual([405, 'GET']);
    expect((await fetch(`${url}/${'0'.repeat(64)}/checkpoint`)).status).toBe(404);
  });

  it('refuses a proof where none belongs', async () => {
    const url = await witness();
    const proof = [EMPTY_ROOT];
    expect(
      (await post(url, formatAddCheckpoint({ oldSize: 0, proof, note: noteOf(3) }))).status,
    ).toBe(422);
    await post(url, requestOf(0, 3));
    expect(
      (await post(url, formatAddCheckpoint({ oldSize: 3, proof, note: noteOf(3) }))).status,
    ).toBe(422);
  });

  it.each([
    ['400 for what is no request', 'old 1', 400],
    ['400 for an unsigned checkpoint', `old 0\n\n${noteOf(3).split('—')[0]}`, 400],
    [
      '400 for an old size above the new one',
      formatAddCheckpoint({ oldSize: 4, proof: [], note: noteOf(3) }),
      400,
    ],
    [
      '400 for a size of 2^53',
      `old 0\n\n${noteOf(3).replace('\n3\n', '\n9007199254740992\n')}`,
      400,
    ],
    [
      '404 for another log',
      formatAddCheckpoint({ oldSize: 0, proof: [], note: noteOf(3, LEAVES, [LOG], 'other/log') }),
      404,
    ],
    [
      '403 for another key',
      formatAddCheckpoint({ oldSize: 0, proof: [], note: noteOf(3, LEAVES, [OTHER]) }),
      403,
    ],
    [
      '403 for an altered signature',
      formatAddCheckpoint({
        oldSize: 0,
        proof: [],
        note: noteOf(3).replace(/.{4}=\n$/, 'AAAA=\n'),
      }),
      403,
    ],
    [
      '403 for an altered size',
      formatAddCheckpoint({ oldSize: 0, proof: [], note: noteOf(3).replace('\n3\n', '\n4\n') }),
      403,
    ],
    ['413 for a request that is too large', 'x'.repeat(1_100_000), 413],
  ])('answers %s', async (_, body, status) => {
    expect((await post(await witness(), body)).status).toBe(status);
  });

  it('ignores signatures of keys that it does not know', async () => {
    const added = formatAddCheckpoint({
      oldSize: 0,
      proof: [],
      note: noteOf(3, LEAVES, [OTHER, LOG]),
    });
    expect((await post(await witness(), added)).status).toBe(200);
  });

  it('answers POST at its path alone', async () => {
    const url = await witness();
    expect((await fetch(`${url}/add-checkpoint`)).status).toBe(405);
    expect((await fetch(`${url}/other`, { method: 'POST', body: '' })).status).toBe(404);
  });

  it('answers hostile first lines and headers, and lives on', async () => {
    const url = await witness();
    await expectToSurvive(url, ['/add-checkpoint'], 80);
    expect((await fetch(url)).status).toBe(404);
  });

  it('confirms one of several requests at one time, and never goes back', async () => {
    const file = join(temporaryFolder(), 'w.sqlite');
    // Two servers with one file, as after a restart that overlaps.
    const urls = [await witness(WITNESS, file), await witness(WITNESS, file)];
    await post(urls[0]!, requestOf(0, 10));
    const sizes = Array.from({ length: 40 }, (_, at) => 11 + at * 3);
    const answers = await Promise.all(
      sizes.map((to, at) => post(urls[at % 2]!, requestOf(10, to))),
    );
    const done = sizes.filter((_, at) => answers[at]!.status === 200);
    expect(done).toHaveLength(1);
    const others = answers.filter(({ status }) => status !== 200);
    expect(others).toEqual(others.map(() => size(done[0]!)));
  });

  it('knows after a restart what it confirmed', async () => {
    const file = join(temporaryFolder(), 'w.sqlite');
    await post(await witness(WITNESS, file), requestOf(0, 5));
    expect(await post(await witness(WITNESS, file), requestOf(0, 9))).toEqual(size(5));
  });
});
