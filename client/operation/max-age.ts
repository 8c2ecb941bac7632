/** The option `--max-age`: how long ago the witnesses may have confirmed the state of a log. */
import type { MaxAge } from '../registry/log/require-witnesses.ts';
import { parseDuration } from '../resolve/duration.ts';

export interface MaxAgeOptions {
  readonly maxAge?: string | undefined;
}

/** `undefined` where the option is not given. @throws {ClientError} `ERR_USAGE` */
export function parseMaxAge({ maxAge }: MaxAgeOptions): MaxAge | undefined {
  if (maxAge === undefined) return undefined;
  return { ms: parseDuration(maxAge, '--max-age'), text: maxAge };
}
