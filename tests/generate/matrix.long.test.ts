/** Compatibility matrices in the index: the document, findings of later versions, faults, incremental runs. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findingMessage } from '../../format/finding/finding.ts';
import type { MatrixRow } from '../../format/index/compatibility.ts';
import { generateDocuments } from './generate-documents.ts';
import { build } from './git-fixture.ts';
import { readRecord } from './index-reader.ts';
import { Regenerated } from './regenerated.ts';

const PATH = 'signals/a/x.matrix.json';
const DOCUMENT = 'builds/a/x/compatibility.json';
const DAY = '2020-01-01';
const ROW: MatrixRow = {
  tag: 'express',
  version: '4.10.0',
  others: 'newest',
  with: { node: '24.1.0' },
  outcome: 'failed',
  step: 'types',
  error: ['error TS2305'],
  date: DAY,
  since: DAY,
};

function matrix(...versions: [version: string, results: MatrixRow[]][]): Record<string, string> {
  const all = versions.map(([version, results]) => ({ version, results }));
  return { [PATH]: JSON.stringify({ versions: all }) };
}

const requires = { stack: { requires: { express: '>=4.0.0' } } };

class Fixture extends Regenerated {
  document(): unknown {
    const file = join(this.out, DOCUMENT);
    return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
  }

  codes(version: string): string[] {
    const { findings } = readRecord(this.out, 'a/x', version).checks;
    return findings.map(({ code }) => code).filter((code) => code.startsWith('stack-range'));
  }
}

describe('generate() with compatibility matrices', () => {
  it('publishes them, and reports a wrong range of the next version, incrementally as in full', async () => {
    const made = new Fixture();
    const { git } = made;
    git.commit(build('a/x', '1.0.0', requires));
    await made.run();
    expect(made.document()).toBeUndefined();

    git.commit(matrix(['1.0.0', [ROW]], ['9.9.9', [ROW]]));
    expect((await made.run()).isFull).toBe(false);
    // Of a version that is not published, nothing is shown.
    expect(made.document()).toEqual({
      id: 'a/x',
      versions: [{ version: '1.0.0', results: [ROW] }],
    });
    expect(made.codes('1.0.0')).toEqual([]);

    git.commit(build('a/x', '1.1.0', requires));
    await made.run();
    expect(made.codes('1.1.0')).toEqual(['stack-range-unproven']);
    const { risk, quality } = readRecord(made.out, 'a/x', '1.1.0');
    expect({ risk, quality }).toMatchObject({ risk: readRecord(made.out, 'a/x', '1.0.0').risk });
    expect(quality).toBe(readRecord(made.out, 'a/x', '1.0.0').quality);

    // It was measured to work after all.
    const { step: _step, error: _error, ...rest } = ROW;
    git.commit(matrix(['1.1.0', [{ ...rest, outcome: 'ok' }]], ['1.0.0', [ROW]]));
    await made.run();
    expect(made.codes('1.1.0')).toEqual([]);

    git.commit({ [PATH]: null });
    await made.run();
    expect(made.document()).toBeUndefined();
  });

  it('a later measurement adds no finding to a version that is published already', async () => {
    const made = new Fixture();
    made.git.commit(build('a/x', '1.0.0', requires));
    made.git.commit(build('a/x', '1.1.0', requires));
    made.git.commit(matrix(['1.0.0', [{ ...ROW, date: '2999-01-01', since: '2999-01-01' }]]));
    await made.run();
    expect(made.codes('1.1.0')).toEqual([]);
  });

  it('reports files that cannot be used in each run, and publishes the rest', async () => {
    const { git, out } = new Fixture();
    const bad: Readonly<Record<string, readonly [text: string, problem: string]>> = {
      'a/w': ['{', 'it is not JSON'],
      'a/x': [
        JSON.stringify({ versions: [{ version: 'x', results: [] }] }),
        'not a semver version',
      ],
      'a/y': [JSON.stringify({ versions: [], more: 1 }), 'Unrecognized key'],
      'a/z': [' '.repeat(1_000_001), 'it has over 1000000 bytes'],
    };
    const builds = Object.keys(bad).map((id) => build(id, '1.0.0', requires));
    git.commit({ ...Object.assign({}, ...builds), ...matrix(['1.0.0', [ROW]]) });
    await generateDocuments({ repo: git.folder, out, threads: 1 });
    expect(existsSync(join(out, DOCUMENT))).toBe(true);
    const files = Object.entries(bad).map(([id, [text]]) => [`signals/${id}.matrix.json`, text]);
    git.commit(Object.fromEntries(files));
    for (let run = 0; run < 2; run += 1) {
      const { problems } = await generateDocuments({ repo: git.folder, out, threads: 1 });
      for (const [at, [id, [, problem]]] of Object.entries(bad).entries()) {
        const { path, finding } = problems.failing[at]!;
        expect([path, finding.code]).toEqual([
          `signals/${id}.matrix.json`,
          'compatibility-invalid',
        ]);
        expect(findingMessage(finding)).toContain(problem);
        expect(readRecord(out, id).version).toBe('1.0.0');
      }
      expect(problems.failing).toHaveLength(Object.keys(bad).length);
      expect(existsSync(join(out, DOCUMENT))).toBe(false);
    }
  });
});
