/** The packed client finds what the sources find, which the gate and the generator run: in all cases and in our builds. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readCorpus } from './read-corpus.ts';
import type { Finding } from '../format/finding/finding.ts';
import { bundle } from '../generator/client-package/bundle.ts';
import * as sources from './judge-case.ts';
import { readRuleCases } from './read-rule-cases.ts';

const CORPUS = join(import.meta.dirname, 'corpus');
const BUILDS = join(import.meta.dirname, '../builds/stackyard');
const CASES = [
  ...readRuleCases(),
  ...['malicious', 'benign'].flatMap((set) => readCorpus(join(CORPUS, set))),
];

const FOLDER = mkdtempSync(join(tmpdir(), 'stackyard-test-'));
let packed: typeof sources;

beforeAll(async () => {
  const { code } = await bundle(join(import.meta.dirname, 'judge-case.ts'));
  const file = join(FOLDER, 'judge-case.mjs');
  writeFileSync(file, code);
  packed = (await import(pathToFileURL(file).href)) as typeof sources;
});

afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

function brief(findings: readonly Finding[]): string[] {
  return findings.map(({ level, code, file, place }) => `${level} ${code} ${file}:${place?.line}`);
}

describe('a case', () => {
  test.each(CASES)('$name', ({ files }) => {
    expect(brief(packed.judgeCase(files))).toEqual(brief(sources.judgeCase(files)));
  });
});

describe('a build', () => {
  test.each(readdirSync(BUILDS).filter((name) => !name.includes('.')))('%s', async (name) => {
    const { findings } = await sources.examineFolder(join(BUILDS, name));
    expect(brief((await packed.examineFolder(join(BUILDS, name))).findings)).toEqual(
      brief(findings),
    );
  });
});
