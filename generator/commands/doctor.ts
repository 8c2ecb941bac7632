/** The command `doctor`: names the state of the key of the log, here and where the index is published, and that of the code host. */
import { resolve } from 'node:path';
import { z } from 'zod';
import { defineCommand } from '../../format/command/command.ts';
import { parseDocument } from '../../format/document/document.ts';
import { StackyardError } from '../../format/errors.ts';
import { REGISTRY_PATH } from '../../format/index/layout.ts';
import { RegistryInfo } from '../../format/index/registry-info.ts';
import { parseNoteKey, type NoteSigner } from '../../format/log/note-key.ts';
import { parseNote, signersOf } from '../../format/log/note.ts';
import type { RegistryConfig } from '../../format/registry/registry-config.ts';
import { loadConfig } from '../config.ts';
import { formatError } from '../errors.ts';
import { ObjectReader } from '../git/object-reader.ts';
import { openRepository } from '../git/repository.ts';
import { publishedCheckpoint, readPublished } from '../log/published-log.ts';
import { logInfo, requireKnownSigner } from '../log/record-log.ts';
import { signersFrom } from '../log/log-files.ts';
import { setUpHost } from '../setup/host-setup.ts';
import { json, repo } from './fields.ts';
import { HOST_TOKEN, hostFields, hostPlan } from './setup.ts';

type State = 'ok' | 'note' | 'problem';
interface Found {
  readonly state: State;
  readonly about: 'key' | 'published' | 'host';
  readonly text: string;
}

const MEND = 'see "When something happened" in docs/operate.md';

export const command = defineCommand({
  description:
    'Names the state of the key of the log: whether this machine can sign as registry.config.json demands, and whether clients accept the index that is published and the next one; and what at the code host is missing or other than setup makes it. It writes nothing',
  input: z.object({
    repo,
    published: z.string().default('index').meta({
      description: 'the address or folder of the published index',
      placeholder: 'place',
    }),
    ...hostFields,
    json,
  }),
  notes: [
    `Environment: STACKYARD_LOG_KEY is the private key of the log, ${HOST_TOKEN} a token that may read the settings of the repository; neither is printed.`,
    'Exit status: 0 clients accept both, and the code host is set up; 1 they do not, or it cannot be read; 2 wrong usage.',
  ],
  examples: ['doctor --published https://registry.example.org'],
  run: async ({ repo: place, published, json: isJson, ...options }) => {
    const repository = await openRepository(resolve(place));
    const reader = new ObjectReader(repository.folder);
    try {
      const { config } = await loadConfig(repository, reader);
      const signers = signersFrom(process.env['STACKYARD_LOG_KEY']);
      const found = [
        ...ownKey(config, signers),
        ...(await publishedKey(published, config, signers)),
        ...(await hostState({ repo: place, ...options })),
      ];
      if (isJson) console.log(JSON.stringify({ found }, null, 2));
      else
        for (const { state, about, text } of found)
          console.log(`${state.padEnd(8)}${about}: ${text}`);
      return found.some(({ state }) => state === 'problem') ? 1 : 0;
    } finally {
      reader.close();
    }
  },
});

/** What a run here would do. */
function ownKey(config: RegistryConfig, signers: readonly NoteSigner[]): Found[] {
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
async function publishedKey(
  place: string,
  { log }: RegistryConfig,
  signers: readonly NoteSigner[],
): Promise<Found[]> {
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

/** What `setup` would make is a problem here. */
async function hostState(options: Parameters<typeof hostPlan>[1]): Promise<Found[]> {
  if ((process.env[HOST_TOKEN] ?? '') === '') {
    const text = `not looked at: ${HOST_TOKEN} is not set`;
    return [{ state: 'note', about: 'host', text }];
  }
  const outcomes = await setUpHost(hostPlan('doctor', options, process.env), true);
  return outcomes.map(({ name, state, text }) => {
    return {
      state: state === 'is there' ? 'ok' : 'problem',
      about: 'host',
      text: `${name}: ${text}`,
    };
  });
}

function tried(about: Found['about'], look: () => readonly [State, string]): Found[] {
  try {
    const [state, text] = look();
    return [{ state, about, text }];
  } catch (error) {
    if (!(error instanceof StackyardError)) throw error;
    return [{ state: 'problem', about, text: formatError(error).replace(/^error: /, '') }];
  }
}
