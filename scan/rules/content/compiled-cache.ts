/** Byte code and caches of tools: used instead of the sources, so they hide what runs. Recognised by path. */
import { isCompiledCache } from '../../../format/build/protected-path.ts';
import { finding } from '../../../format/finding/finding.ts';
import { byPath } from '../../parse/syntax.ts';
import type { Rule } from '../../rule.ts';
import { quote } from '../../text/quote.ts';

const isCache = byPath(isCompiledCache);

export const compiledCache: Rule = {
  name: 'compiled-cache',
  run: ({ files }) =>
    files
      .filter(({ path }) => isCache(path))
      .map(({ path }) => finding('compiled-cache', path, { path: quote(path) })),
};
