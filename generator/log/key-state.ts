/** The state of the key of the log: whether this machine can sign as the configuration demands, and whether clients accept what is published. */
import { parseDocument } from '../../format/document/document.ts';
import { StackyardError } from '../../format/errors.ts';
import { REGISTRY_PATH } from '../../format/index/layout.ts';
import { RegistryInfo } from '../../format/index/registry-info.ts';
import { parseNote, signersOf } from '../../format/log/note.ts';
import { parseNoteKey, type NoteSigner } from '../../format/log/note-key.ts';
import type { RegistryConfig } from '../../format/registry/registry-config.ts';
import { formatError } from '../errors.ts';
import { publishedCheckpoint, readPublished } from './published-log.ts';
import { logInfo, requireKnownSigner } from './record-log.ts';

interface KeyFinding {
  readonly state: 'ok' | 'note' | 'problem';
  readonly about: 'key' | 'published';
  readonly text: string;
}

const MEND = 'see "When something happened" in docs/operate.md';

/** What a run here would do. */
export function ownKey(config: RegistryConfig, signers: readonly NoteSigner[]): KeyFinding[] {
  return tried('key', () => {
    const { key } = logInfo(config, signers, true);
    if (key === undefined)
      return [
        'note',
        'registry.config.json names none, and STACKYARD_LOG_KEY is not set: nobody signs the log',
      ];
    if (config.log.key !== undefined)
      return [
        'ok',
        `STACKYARD_LOG_KEY has the private key of "${key}", which registry.config.json names`,
      ];
    return [
      'note',
      `STACKYARD_LOG_KEY signs as "${key}": name it in "log": { "key": … } of registry.config.json, so that no run forgets it`,
    ];
  });
}

/** What clients see, and whether they follow to what a run here signs. */
export async function publishedKey(
  place: string,
  { log }: RegistryConfig,
  signers: readonly NoteSigner[],
): Promise<KeyFinding[]> {
  const read = readPublished(place);
  const [found, registry] = [await publishedCheckpoint(read), await read(REGISTRY_PATH)];
  if (found === undefined || registry === undefined) {
    return [
      {
        state: 'note',
        about: 'published',
        text: `${place} has no log yet: the first run begins it`,
      },
    ];
  }
  const { key } = parseDocument(RegistryInfo, registry, REGISTRY_PATH).log ?? {};
  return tried('published', () => {
    if (key === undefined) {
      if (log.key === undefined) return ['note', `nobody signs the log at ${place}`];
      return [
        'problem',
        `the log at ${place} is not signed, and clients that know "${log.key}" refuse it: ${MEND}`,
      ];
    }
    const note = parseNote(new TextEncoder().encode(found.note));
    if (signersOf(note, [parseNoteKey(key)]).length === 0) {
      return ['problem', `${place} names the key "${key}", which did not sign its log: ${MEND}`];
    }
    if (signers.length > 0) requireKnownSigner(found.note, signers, log.dropped);
    if (log.key === undefined || log.key === key)
      return ['ok', `"${key}" signed the log at ${place}`];
    return [
      'note',
      `"${key}" signed the log at ${place}: the next deployment replaces it by "${log.key}"`,
    ];
  });
}

function tried(
  about: KeyFinding['about'],
  look: () => readonly [KeyFinding['state'], string],
): KeyFinding[] {
  try {
    const [state, text] = look();
    return [{ state, about, text }];
  } catch (error) {
    if (!(error instanceof StackyardError)) throw error;
    return [{ state: 'problem', about, text: formatError(error).replace(/^error: /, '') }];
  }
}
