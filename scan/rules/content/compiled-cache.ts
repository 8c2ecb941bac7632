/** Byte code and caches of tools: used instead of the sources, so they hide what runs. Recognised by path. */
import { isCompiledCache } from '../../../format/build/protected-path.ts';
import { finding } from '../../../format/finding/finding.ts';
import { byPath } from '../../parse/by-path.ts';
import type { Rule } from '../../rule.ts';
import { isTestPath } from '../../text/file-kind.ts';
import { isIdleFile } from '../../text/idle-file.ts';
import { quote } from '../../text/quote.ts';

const isCache = byPath(isCompiledCache);

export const compiledCache: Rule = {
  name: 'compiled-cache',
  run: (build) =>
    build.files
      .filter(({ path }) => isCache(path))
      .map(({ path }) => {
        // Notes of a tool about sources hold no code.
        const isNote = /\.(?:tsbuildinfo|eslintcache|stylelintcache)$/.test(path);
        const isIdle = isNote || (isTestPath(path) && isIdleFile(build, path));
        return finding('compiled-cache', path, { path: quote(path) }, isIdle ? 'info' : undefined);
      }),
};
