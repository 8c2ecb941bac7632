/** Asks the witnesses of a log to confirm its newest state (C2SP tlog-witness), and puts their cosignatures into its checkpoint. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { StackyardError } from '../../format/errors.ts';
import { CHECKPOINT_PATH, LOG_FOLDER } from '../../format/index/layout.ts';
import { hashesFromTiles } from '../../format/log/append.ts';
import { parseCheckpoint } from '../../format/log/checkpoint.ts';
import { cosignaturesOf } from '../../format/log/cosignature.ts';
import { formatNote, parseNote, type Note, type NoteSignature } from '../../format/log/note.ts';
import { parseNoteKey, type NoteKey } from '../../format/log/note-key.ts';
import { consistencyProof, type SubtreeHash } from '../../format/log/proof.ts';
import { formatAddCheckpoint } from './add-checkpoint.ts';
import { tilePath } from '../../format/log/tile.ts';
import { tryParseTreeSize } from '../../format/log/tree-size.ts';
import type { RegistryConfig } from '../../format/registry/registry-config.ts';
import { GeneratorError } from '../errors.ts';
import { writeWhole } from '../write-whole.ts';

/** A witness of the configuration, and what it answered. */
interface AskedWitness {
  readonly name: string;
  readonly reply: WitnessReply;
}

/**
 * @param out the index
 * @throws {GeneratorError} `ERR_LOG_PUBLISHED` for an index without a signed log
 */
export async function cosignLog(
  out: string,
  witnesses: RegistryConfig['log']['witnesses'],
): Promise<AskedWitness[]> {
  const file = join(out, CHECKPOINT_PATH);
  const note = readNote(file);
  const { size } = parseCheckpoint(note.text);
  const subtree = hashesFromTiles(size, (tile) =>
    readFileSync(join(out, LOG_FOLDER, tilePath(tile))),
  );
  const asked = await Promise.all(
    witnesses.map(async ({ key: text, address }) => {
      const key = parseNoteKey(text);
      return { name: key.name, reply: await askWitness({ key, address }, { note, size, subtree }) };
    }),
  );
  const added = asked.flatMap(({ reply }) => (reply.kind === 'confirmed' ? reply.signatures : []));
  if (added.length > 0) writeWhole(file, formatNote(withSignatures(note, added)));
  return asked;
}

/** A newer signature of a witness replaces its earlier one. */
function withSignatures({ text, signatures }: Note, added: readonly NoteSignature[]): Note {
  const kept = signatures.filter((one) => {
    return !added.some(({ name, id }) => name === one.name && id === one.id);
  });
  return { text, signatures: [...kept, ...added] };
}

function readNote(file: string): Note {
  try {
    return parseNote(readFileSync(file));
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause);
    throw new GeneratorError('ERR_LOG_PUBLISHED', `Cannot read "${file}": ${problem}`, {
      cause,
      hint: 'witnesses confirm a signed log: run "stackyard-registry generate" with STACKYARD_LOG_KEY first',
    });
  }
}

/** A state of a log, with what proofs about it are made of. */
interface StateToConfirm {
  readonly note: Note;
  readonly size: number;
  readonly subtree: SubtreeHash;
}

/** What a witness answered. */
type WitnessReply =
  | { readonly kind: 'confirmed'; readonly signatures: readonly NoteSignature[] }
  /** It has seen a log that this one does not continue. */
  | { readonly kind: 'contradicted'; readonly problem: string }
  | { readonly kind: 'failed'; readonly problem: string };

const TIMEOUT_MS = 30_000;
const MAX_REPLY_BYTES = 100_000;
/** One to learn the size that the witness has, one with the proof, more where another process asks meanwhile. */
const MAX_TRIES = 4;

/** @param address its submission prefix */
async function askWitness(
  { key, address }: { readonly key: NoteKey; readonly address: string },
  { note, size, subtree }: StateToConfirm,
): Promise<WitnessReply> {
  const whole = formatNote(note);
  let oldSize = size;
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const proof = consistencyProof(oldSize, size, subtree);
    const reply = await post(address, formatAddCheckpoint({ oldSize, proof, note: whole }));
    if (typeof reply === 'string') return { kind: 'failed', problem: reply };
    const { status, text } = reply;
    if (status === 200) return confirmed(note, text, key);
    if (status === 422) {
      return { kind: 'contradicted', problem: `has another log of ${oldSize} entries` };
    }
    const known = status === 409 ? tryParseTreeSize(text.replace(/\n$/, '')) : undefined;
    if (known === undefined) return { kind: 'failed', problem: `answers ${status}: ${line(text)}` };
    if (known > size) {
      return {
        kind: 'contradicted',
        problem: `has confirmed ${known} entries, and there are ${size}`,
      };
    }
    if (known === oldSize) {
      return { kind: 'contradicted', problem: `has another log of ${known} entries` };
    }
    oldSize = known;
  }
  return { kind: 'failed', problem: 'names another size each time' };
}

async function post(
  address: string,
  body: string,
): Promise<{ status: number; text: string } | string> {
  try {
    const response = await fetch(`${address.replace(/\/+$/, '')}/add-checkpoint`, {
      method: 'POST',
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const bytes = await response.arrayBuffer();
    if (bytes.byteLength > MAX_REPLY_BYTES) return 'answers more than a witness does';
    return { status: response.status, text: new TextDecoder().decode(bytes) };
  } catch (error) {
    const { message, cause } = error as Error;
    return cause instanceof Error ? cause.message : message;
  }
}

/** The cosignatures in an answer, those of other keys left out. */
function confirmed(note: Note, text: string, key: NoteKey): WitnessReply {
  try {
    const answered = parseNote(new TextEncoder().encode(`${note.text}\n${text}`));
    const signatures = answered.signatures.filter(({ name, id }) => {
      return name === key.name && id === key.id;
    });
    if (cosignaturesOf({ text: note.text, signatures }, [key]).length > 0) {
      return { kind: 'confirmed', signatures };
    }
    return { kind: 'failed', problem: 'answers without a signature of its key' };
  } catch (error) {
    if (!(error instanceof StackyardError)) throw error;
    return { kind: 'failed', problem: error.message };
  }
}

function line(text: string): string {
  return JSON.stringify(text.slice(0, 200).trim());
}
