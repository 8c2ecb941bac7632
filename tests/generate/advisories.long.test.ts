/** Advisories of the repository in the index: their documents, the heads of their builds, faults, incremental runs. */
import { readFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findingMessage } from '../../format/finding/finding.ts';
import { generateDocuments } from './generate-documents.ts';
import { ADVISORY, advisoryFile, affects } from '../advisories/advisory-fixture.ts';
import { build } from './git-fixture.ts';
import { readHead } from './index-reader.ts';
import { Regenerated } from './regenerated.ts';

class Fixture extends Regenerated {
  json(path: string): unknown {
    return JSON.parse(readFileSync(join(this.out, path), 'utf8'));
  }

  ids(id = 'a/x'): Record<string, readonly string[]> {
    const entries = readHead(this.out, id).versions.map(
      ({ version, advisories = [] }) => [version, advisories] as const,
    );
    return Object.fromEntries(entries);
  }
}

describe('generate() with advisories', () => {
  it('shows them in the heads until they are withdrawn, incrementally as in full', async () => {
    const made = new Fixture();
    const { git } = made;
    git.commit(build('a/x', '1.0.0'));
    await made.run();
    expect(made.json('advisories/all.json')).toEqual({ advisories: [] });

    git.commit(advisoryFile());
    expect((await made.run()).isFull).toBe(false);
    expect(made.ids()).toEqual({ '1.0.0': [ADVISORY.id] });
    expect(made.json(`advisories/${ADVISORY.id}.json`)).toEqual(ADVISORY);

    // A version that is published later is compared as well.
    git.commit(build('a/x', '1.0.5'));
    git.commit(build('a/x', '1.1.0'));
    await made.run();
    expect(made.ids()).toEqual({
      '1.1.0': [],
      '1.0.5': [ADVISORY.id],
      '1.0.0': [ADVISORY.id],
    });

    // It is about another build now, which is published only later.
    const moved = { affected: affects('b/y', '0'), modified: '2026-02-02T00:00:00Z' };
    git.commit(advisoryFile(moved));
    await made.run();
    expect(Object.values(made.ids()).flat()).toEqual([]);
    git.commit(build('b/y', '1.0.0'));
    await made.run();
    expect(made.ids('b/y')).toEqual({ '1.0.0': [ADVISORY.id] });

    const withdrawn = '2026-02-03T00:00:00Z';
    git.commit(advisoryFile({ ...moved, modified: withdrawn, withdrawn }));
    await made.run();
    expect(made.ids('b/y')).toEqual({ '1.0.0': [] });
    const { id, summary } = ADVISORY;
    expect(made.json('advisories/all.json')).toEqual({
      advisories: [{ id, modified: withdrawn, withdrawn, summary, builds: ['b/y'] }],
    });

    git.commit({ advisories: null });
    await made.run();
    expect(existsSync(join(made.out, `advisories/${ADVISORY.id}.json`))).toBe(false);
  });

  it('reports advisories that cannot be used in each run, and publishes the rest', async () => {
    const { git, out } = new Fixture();
    const text = JSON.stringify(ADVISORY);
    const bad: Readonly<Record<string, readonly [text: string, problem: string]>> = {
      'MAL-1': ['{', 'it is not JSON'],
      'MAL-2': [text, 'field "id" is "x_STACKYARD-2026-0001", not the name of the file'],
      'MAL-3': [text.replace('SEMVER', 'GIT'), 'must be "SEMVER"'],
      'MAL-4': [text.replace('"database_specific"', '"package"'), 'database_specific'],
      'MAL-5': [' '.repeat(100_001), 'it has over 100000 bytes'],
      'MAL-6': [text.replace('"fixed":"1.1.0"', '"introduced":"1.1.0"'), 'in turn'],
    };
    const files = Object.entries(bad).map(([id, [content]]) => [`advisories/${id}.json`, content]);
    git.commit({ ...build('a/x', '1.0.0'), ...Object.fromEntries(files) });
    for (let run = 0; run < 2; run += 1) {
      const { problems } = await generateDocuments({ repo: git.folder, out, threads: 1 });
      for (const [at, [id, [, problem]]] of Object.entries(bad).entries()) {
        const found = problems.failing[at]!;
        expect(found).toMatchObject({
          path: `advisories/${id}.json`,
          finding: { code: 'advisory-invalid' },
        });
        expect(findingMessage(found.finding)).toContain(problem);
      }
      expect(problems.failing).toHaveLength(Object.keys(bad).length);
    }
    expect(readHead(out, 'a/x').versions).toHaveLength(1);
    git.commit({ advisories: null, ...advisoryFile() });
    const corrected = await generateDocuments({ repo: git.folder, out, threads: 1 });
    expect(corrected.problems.failing).toEqual([]);
  });
});
