/** A registry and its index, of which each run must make what a full one makes. */
import { join } from 'node:path';
import { expect } from 'vitest';
import type { GenerateOptions } from '../../generator/pipeline/pipeline.ts';
import type { Report } from '../../generator/pipeline/report.ts';
import { generateDocuments } from './generate-documents.ts';
import { GitFixture, temporaryFolder } from './git-fixture.ts';
import { readTree } from './index-reader.ts';

export class Regenerated {
  readonly git: GitFixture = new GitFixture();
  readonly out: string = join(temporaryFolder(), 'index');

  async run(options: Partial<GenerateOptions> = {}): Promise<Report> {
    const common = { repo: this.git.folder, threads: 1, ...options };
    const report = await generateDocuments({ ...common, out: this.out });
    const out = join(temporaryFolder(), 'index');
    await generateDocuments({ ...common, out });
    const whole = readTree(out);
    // oxlint-disable-next-line vitest/no-standalone-expect
    expect(readTree(this.out)).toEqual(whole);
    // oxlint-disable-next-line vitest/no-standalone-expect
    expect(report.written + report.unchanged).toBe(Object.keys(whole).length);
    return report;
  }
}
