/** Whether talk on standard error is coloured. */
import type { WriteStream } from 'node:tty';

/**
 * `--no-color` and NO_COLOR say no, FORCE_COLOR says yes, `TERM=dumb` no; else a terminal decides.
 * @see https://no-color.org: an empty NO_COLOR says nothing
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

/** Whether nobody is there to be asked: continuous integration says so by CI. */
export function isUnattended(env: NodeJS.ProcessEnv): boolean {
  return isSet(env['CI']) && env['CI'] !== 'false' && env['CI'] !== '0';
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}
