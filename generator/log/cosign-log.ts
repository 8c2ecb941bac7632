/** Asks the witnesses of a registry for the log of its index, and puts what they sign into the checkpoint. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHECKPOINT_PATH, LOG_FOLDER } from '../../format/index/layout.ts';
import { parseCheckpoint } from '../../format/log/checkpoint.ts';
import { formatNote, parseNote } from '../../format/log/note.ts';
import type { Note, NoteSignature } from '../../format/log/note.ts';
import { parseNoteKey } from '../../format/log/note-key.ts';
import { hashesFromTiles } from '../../format/log/tile-hashes.ts';
import { tilePath } from '../../format/log/tile.ts';
import type { RegistryConfig } from '../../format/registry/registry-config.ts';
import { GeneratorError } from '../errors.ts';
import { writeWhole } from '../write-whole.ts';
import { askWitness } from './ask-witness.ts';
import type { WitnessReply } from './ask-witness.ts';

/** A witness of the configuration, and what it answered. */
export interface AskedWitness {
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
