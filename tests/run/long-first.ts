/** The order of test files: the longest start first, so that no processor is idle while the last one ends. */
import { relative } from 'node:path';
import type { TestSpecification } from 'vitest/node';
import { BaseSequencer } from 'vitest/node';

/** Measured in processor time; a fresh clone has no record of earlier runs. */
const LONGEST = [
  'tests/bench.test.ts',
  'tests/site/pages.test.ts',
  'tests/publish/waiting.long.test.ts',
  'tests/scripts.test.ts',
  'tests/deploy/deploy.test.ts',
  'tests/publish/gate.test.ts',
  'tests/publish/publish.test.ts',
  'tests/client/conventions.long.test.ts',
  'tests/ship/registry-package.long.test.ts',
  'tests/auth/service.test.ts',
  'tests/generate/scan-ends.long.test.ts',
  'tests/publish/workflow-scripts.test.ts',
  'tests/client/mcp.test.ts',
  'tests/site/search.long.test.ts',
  'tests/documents.test.ts',
  'tests/ship/package.long.test.ts',
  'tests/metamorphic.long.test.ts',
  'tests/publish/gate-owners.long.test.ts',
  'scan/parse/syntax.test.ts',
  'scan/bounds.test.ts',
  'client/apply/transaction.test.ts',
  'client/apply/undo.test.ts',
  'builds/stackyard/account/account.test.ts',
  'scan/rules/content-checks.test.ts',
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
