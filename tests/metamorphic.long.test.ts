/** A malicious build keeps its risk under changes that leave what it does as it is, and is never `ok`. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readCorpus } from './read-corpus.ts';
import { openBuild } from '../scan/open-build.ts';
import { allRules } from '../scan/rules/all.ts';
import { scan } from '../scan/scan.ts';
import type { BuildFile } from '../scan/scanned-file.ts';
import { riskOf } from '../scan/risk.ts';
import { parseManifest } from '../format/build/manifest.ts';
import { DEEPER_CHANGES, NEUTRAL_CHANGES, changed } from './neutral-changes.ts';
import { readRuleCases } from './read-rule-cases.ts';

const PLAIN_MANIFEST = `{"name":"case","version":"1.0.0","kind":"module","description":"A case","license":"MIT"}`;
const RANKS = ['ok', 'caution', 'danger'] as const;

function rankOf(files: readonly BuildFile[]): number {
  const own = files.find(({ path }) => path === 'stackyard.json');
  const manifest = parseManifest(own?.bytes ?? Buffer.from(PLAIN_MANIFEST));
  if (!manifest.ok) throw new Error(JSON.stringify(manifest.findings));
  const build = openBuild({ id: 'a/case', manifest: manifest.manifest, files });
  return RANKS.indexOf(riskOf(scan(build, allRules)));
}

const CASES = [
  ...readRuleCases(),
  ...readCorpus(join(import.meta.dirname, 'corpus/malicious')),
].map(({ name, files }) => ({ name, files, rank: rankOf(files) }));

describe('a malicious build keeps its risk', () => {
  const malicious = CASES.filter(({ rank }) => rank > 0);

  test('there are cases and changes', () => {
    expect(malicious.length).toBeGreaterThan(200);
    expect(Object.keys(NEUTRAL_CHANGES).length).toBeGreaterThan(20);
  });

  test.each(Object.entries(NEUTRAL_CHANGES))('with %s', { timeout: 1_800_000 }, (_, change) => {
    expect(lostBy(change, RANKS.indexOf('danger'))).toEqual([]);
  });

  test.each(Object.entries(DEEPER_CHANGES))('or is caution, with %s', (_, change) => {
    expect(lostBy(change, RANKS.indexOf('caution'))).toEqual([]);
  });

  /** The builds that a change gives less than their risk, and less than `enough`. */
  function lostBy(change: Parameters<typeof changed>[1], enough: number): string[] {
    return malicious.flatMap(({ name: from, files, rank }) => {
      const after = changed(files, change);
      const now = after === undefined ? rank : rankOf(after);
      return now < Math.min(rank, enough) ? [`${from}: ${RANKS[rank]} to ${RANKS[now]}`] : [];
    });
  }
});
