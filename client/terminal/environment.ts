/** What the environment says of terminals: whether they have colours, and whether someone can answer. */
import type { WriteStream } from 'node:tty';

/**
 * `--no-color` and NO_COLOR disable colour, FORCE_COLOR enables it, `TERM=dumb` disables it; otherwise it
 * depends on the terminal.
 * @see https://no-color.org: an empty NO_COLOR has no effect
 */
export function wantsColor(
  stream: Pick<WriteStream, 'isTTY'>,
  env: NodeJS.ProcessEnv,
  isOff: boolean,
): boolean {
  if (isOff || isSet(env['NO_COLOR'])) return false;
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return env['TERM'] !== 'dumb' && stream.isTTY === true;
}

/** Whether nobody can answer questions: continuous integration sets CI. */
export function isUnattended(env: NodeJS.ProcessEnv): boolean {
  return isSet(env['CI']) && env['CI'] !== 'false' && env['CI'] !== '0';
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}
