/** Who must have confirmed the state of a log, and how recently. */
import type { LogPolicy } from '../../../format/lock/lock.ts';
import { cosignaturesOf } from '../../../format/log/cosignature.ts';
import { parseNote } from '../../../format/log/note.ts';
import { parseNoteKey } from '../../../format/log/note-key.ts';
import { ClientError } from '../../errors.ts';
import { logError } from './log-error.ts';
import { parseDuration } from '../../resolve/duration.ts';

/** How long ago the witnesses may have confirmed a state. */
export interface MaxAge {
  readonly ms: number;
  /** As the user wrote it. */
  readonly text: string;
}

/** What a user demands of the checkpoint of a log. */
interface WitnessDemand {
  readonly witnesses: LogPolicy['witnesses'];
  readonly maxAge: MaxAge | undefined;
  /** ISO 8601, UTC. */
  readonly now: string;
}

/**
 * Requires that enough witnesses signed the checkpoint, and so many of them within the greatest age.
 * @param text of the whole note
 * @throws {ClientError} `ERR_LOG`; `ERR_USAGE` for an age where no witness is named: nobody else states a time
 */
export function requireWitnesses(
  text: string,
  origin: string,
  { witnesses, maxAge, now }: WitnessDemand,
): void {
  if (witnesses === undefined) {
    if (maxAge === undefined) return;
    throw new ClientError(
      'ERR_USAGE',
      `Option --max-age is "${maxAge.text}", and no witness of "${origin}" is named`,
      {
        hint: 'only witnesses state the time: name them with "stackyard registry add <name> <address> --witnesses <count> <key>..."',
      },
    );
  }
  const keys = [...new Set(witnesses.keys)];
  const note = parseNote(new TextEncoder().encode(text));
  const times = cosignaturesOf(note, keys.map(parseNoteKey)).map(({ time }) => time);
  const { count } = witnesses;
  if (times.length < count) {
    throw logError(
      `of its ${keys.length} witnesses ${times.length} confirmed this state, and ${count} must`,
    );
  }
  const time = times.sort((a, b) => b - a)[count - 1]!;
  if (maxAge === undefined || Date.parse(now) - time * 1000 <= maxAge.ms) return;
  const moment = Number.isFinite(time) && time < 8.64e12 ? new Date(time * 1000).toISOString() : '';
  throw logError(
    `${count} of its witnesses confirmed this state last at ${moment}, longer ago than --max-age ${maxAge.text}: an old state is served, or nobody asks the witnesses any more`,
  );
}

export interface MaxAgeOptions {
  readonly maxAge?: string | undefined;
}

/** `undefined` where the option is not given. @throws {ClientError} `ERR_USAGE` */
export function parseMaxAge({ maxAge }: MaxAgeOptions): MaxAge | undefined {
  if (maxAge === undefined) return undefined;
  return { ms: parseDuration(maxAge, '--max-age'), text: maxAge };
}
