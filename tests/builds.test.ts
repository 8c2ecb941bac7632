/**
 * Runs the rules over every case in `tests/builds/`. A case is named `<rule>-<what>`. Its expected findings are all
 * safety findings at warn or error, and all findings of the rule that the case is named after. A case
 * without `stackyard.json` gets a plain one. The form is in `rule-case.ts`.
 */
import { describe, expect, test } from 'vitest';
import { findingGroup, sortFindings, type Finding } from '../format/finding/finding.ts';
import { parseManifest } from '../format/build/manifest.ts';
import { allRules } from '../scan/rules/all.ts';
import type { BuildFile } from '../scan/scanned-file.ts';
import { openBuild } from '../scan/open-build.ts';
import { scan } from '../scan/scan.ts';
import { readRuleCases } from './read-rule-cases.ts';
import type { ExpectedFinding } from './rule-case.ts';

const PLAIN_MANIFEST = `{"name":"case","version":"1.0.0","kind":"module","description":"A case","license":"MIT"}`;
const NAMES = allRules.map((rule) => rule.name);

describe('tests/builds', () => {
  test.each(readRuleCases())('$name', ({ name, expected, files }) => {
    const under = NAMES.filter((n) => name.startsWith(`${n}-`)).sort((a, b) => b.length - a.length);
    expect(under, 'the case is named after a rule').not.toEqual([]);
    const found = findingsIn(files).filter(
      (f) => f.code.startsWith(under[0]!) || (findingGroup(f) === 'safety' && f.level !== 'info'),
    );
    expect(sortFindings(found).map(brief)).toEqual(expected);
  });
});

function brief({ level, code, file, place }: Finding): ExpectedFinding {
  return { level, code, file, ...(place === undefined ? {} : { line: place.line }) };
}

function findingsIn(files: readonly BuildFile[]): Finding[] {
  const own = files.find((f) => f.path === 'stackyard.json');
  const manifest = parseManifest(own?.bytes ?? Buffer.from(PLAIN_MANIFEST));
  if (!manifest.ok) throw new Error(JSON.stringify(manifest.findings));
  return scan(openBuild({ id: 'a/case', manifest: manifest.manifest, files }), allRules);
}
