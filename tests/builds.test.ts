/**
 * Runs the checks over every build in `tests/builds/`. A folder `<check>-<case>` is a build and
 * `expected.json`, the list of what is to be found in it: all safety findings at warn or error, and all
 * findings of the check that the folder is named after. A folder without `stackyard.json` gets a plain one.
 *
 *     [{ "level": "error", "code": "remote-code", "file": "index.js", "line": 3 }]
 */
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Finding } from '../format/finding/finding.ts';
import { findingGroup, sortFindings } from '../format/finding/finding.ts';
import { parseManifest } from '../format/build/manifest.ts';
import { allRules } from '../checks/rules/all.ts';
import type { BuildFile } from '../checks/scanned-file.ts';
import { openBuild } from '../checks/open-build.ts';
import { scan } from '../checks/scan.ts';

const ROOT = join(import.meta.dirname, 'builds');
const PLAIN_MANIFEST = `{"name":"case","version":"1.0.0","kind":"module","description":"A case","license":"MIT"}`;

interface Expected {
  readonly level: string;
  readonly code: string;
  readonly file: string;
  readonly line?: number;
}

const NAMES = allRules.map((c) => c.name);

describe('tests/builds', () => {
  test.each(readdirSync(ROOT))('%s', (name) => {
    const folder = join(ROOT, name);
    const under = NAMES.filter((n) => name.startsWith(`${n}-`)).sort((a, b) => b.length - a.length);
    expect(under, 'the folder is named after a check').not.toEqual([]);
    const expected = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as Expected[];
    const found = findingsIn(folder).filter(
      (f) => f.code.startsWith(under[0]!) || (findingGroup(f) === 'safety' && f.level !== 'info'),
    );
    expect(sortFindings(found).map(brief)).toEqual(expected);
  });
});

function brief({ level, code, file, place }: Finding): Expected {
  return { level, code, file, ...(place === undefined ? {} : { line: place.line }) };
}

function findingsIn(folder: string): Finding[] {
  const files = filesIn(folder).filter((f) => f.path !== 'expected.json');
  const own = files.find((f) => f.path === 'stackyard.json');
  const manifest = parseManifest(own?.bytes ?? Buffer.from(PLAIN_MANIFEST));
  if (!manifest.ok) throw new Error(`${folder}: ${JSON.stringify(manifest.findings)}`);
  return scan(openBuild({ id: 'a/case', manifest: manifest.manifest, files }), allRules);
}

function filesIn(folder: string): BuildFile[] {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  return paths
    .filter((path) => statSync(join(folder, path)).isFile())
    .map((path) => {
      const executable = (statSync(join(folder, path)).mode & 0o100) !== 0;
      return { path, bytes: readFileSync(join(folder, path)), executable };
    });
}
