/** The order of test files: the longest start first, so that no processor is idle while the last one ends. */
import { relative } from 'node:path';
import type { TestSpecification } from 'vitest/node';
import { BaseSequencer } from 'vitest/node';

/** Of `npm test`, measured; a fresh clone has no record of earlier runs. */
const LONGEST = [
  'tests/bench.test.ts',
  'tests/scripts.test.ts',
  'tests/publish/gate.test.ts',
  'tests/generate/log.test.ts',
  'tests/generate/immutability.test.ts',
  'tests/client/mcp.test.ts',
  'tests/publish/publish.test.ts',
  'tests/client/log.test.ts',
  'builds/stackyard/jobs/worker.test.ts',
  'tests/deploy/deploy.test.ts',
  'tests/auth/service.test.ts',
  'tests/generate/bad-input.test.ts',
  'tests/client/install.test.ts',
  'scan/bounds.test.ts',
  'client/apply/transaction.test.ts',
];

export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const others = await super.sort(files);
    return others.toSorted((a, b) => this.#rank(a) - this.#rank(b));
  }

  #rank({ moduleId }: TestSpecification): number {
    const place = LONGEST.indexOf(relative(this.ctx.config.root, moduleId));
    return place === -1 ? LONGEST.length : place;
  }
}
