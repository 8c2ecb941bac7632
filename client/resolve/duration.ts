/** Durations as users write them: `12h`, `7d`, `2w`. */
import { DAY_MS, HOUR_MS } from '../../format/duration.ts';
import { ClientError } from '../errors.ts';

const MS_PER_UNIT: Readonly<Record<string, number>> = {
  h: HOUR_MS,
  d: DAY_MS,
  w: 7 * DAY_MS,
};

/**
 * The duration `text`, in milliseconds.
 * @param option the name of the option, for the error
 * @throws {ClientError} `ERR_USAGE`
 */
export function parseDuration(text: string, option: string): number {
  const [, count, unit = ''] = /^(\d{1,5})([hdw])$/.exec(text) ?? [];
  const perUnit = MS_PER_UNIT[unit];
  if (count !== undefined && perUnit !== undefined) return Number(count) * perUnit;
  throw new ClientError('ERR_USAGE', `Option ${option} is ${JSON.stringify(text)}`, {
    hint: 'write a number of hours, days or weeks, such as 12h, 7d or 2w',
  });
}
