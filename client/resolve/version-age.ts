/* oxlint-disable no-restricted-globals -- reads texts and no clock */
import { DAY_MS, HOUR_MS } from '../../format/duration.ts';
import type { Head, HeadVersion } from '../../format/index/record.ts';
import { ClientError } from '../errors.ts';
import { firstPublications } from '../../format/version/semver-range.ts';

/**
 * The rule on the age of versions, of the project or of `--min-age`: younger ones are hidden. Installed versions stay; yanks always count.
 */

interface AgeOptions {
  readonly minAge?: string | undefined;
}

export interface AgeRule {
  /** Versions published after this time are hidden; milliseconds since 1970. */
  readonly newest: number;
  /** The option that set the rule, for messages. */
  readonly why: string;
}

/**
 * Reads the option; `undefined` when it is not given.
 * @param now milliseconds since 1970
 * @throws {ClientError} `ERR_USAGE`
 */
export function parseAge({ minAge }: AgeOptions, now: number): AgeRule | undefined {
  if (minAge === undefined) return undefined;
  return { newest: now - parseDuration(minAge, '--min-age'), why: `--min-age ${minAge}` };
}

/** The standing rule of a project, which holds where the option is not given. @param now milliseconds since 1970 */
export function standingAge(hours: number | undefined, now: number): AgeRule | undefined {
  if (hours === undefined) return undefined;
  return { newest: now - hours * HOUR_MS, why: `min_age_hours ${hours} of the project` };
}

/**
 * `head` without the versions that `rule` hides.
 * @param installed the version that the project has, which is never hidden
 */
export function hideYoung(
  head: Head,
  rule: AgeRule | undefined,
  installed: string | undefined,
): KnownHead {
  if (rule === undefined) return head;
  const isYoung = ({ version, published_at }: HeadVersion): boolean =>
    version !== installed && Date.parse(published_at) > rule.newest;
  const hidden = head.versions.filter(isYoung).map((version): HiddenVersion => {
    const day = version.published_at.slice(0, 'YYYY-MM-DD'.length);
    return { version, why: `published ${day}, ${rule.why}` };
  });
  return { ...head, versions: head.versions.filter((version) => !isYoung(version)), hidden };
}

/** Durations as users write them: `12h`, `7d`, `2w`. */
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

/** A head as the resolver gets it: without the versions that the user's rule on age hides. Pure. */
export interface KnownHead extends Head {
  /** The hidden versions, which only explain failures. */
  readonly hidden?: readonly HiddenVersion[];
}

interface HiddenVersion {
  readonly version: HeadVersion;
  /** The reason, as text for a message. */
  readonly why: string;
}

/** `head` without versions that repeat an earlier publication, except those that `isNamed` admits. */
export function withoutRepetitions(
  head: KnownHead,
  isNamed: (version: HeadVersion) => boolean,
): KnownHead {
  const { versions, hidden = [] } = head;
  const firsts = new Set(firstPublications([...versions, ...hidden.map((one) => one.version)]));
  const isKept = (version: HeadVersion): boolean => firsts.has(version) || isNamed(version);
  return {
    ...head,
    versions: versions.filter(isKept),
    hidden: hidden.filter(({ version }) => isKept(version)),
  };
}
