/** Every malicious case of the corpus is found, and no benign one is reported: each idiom has a twin that reads or sends nothing. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readCorpus } from '../bench/eval-checks.ts';
import { openBuild } from '../scan/open-build.ts';
import { riskOf } from '../scan/risk.ts';
import { allRules } from '../scan/rules/all.ts';
import { scan } from '../scan/scan.ts';

const MANIFEST = {
  name: 'case',
  version: '1.0.0',
  kind: 'module',
  description: 'A case',
  license: 'MIT',
} as const;

describe.each(['malicious', 'benign'])('%s', (set) => {
  test.each(readCorpus(join(import.meta.dirname, 'corpus', set)))('$name', ({ files }) => {
    const risk = riskOf(scan(openBuild({ id: 'a/case', manifest: MANIFEST, files }), allRules));
    if (set === 'benign') expect(risk).toBe('ok');
    else expect(risk).not.toBe('ok');
  });
});
