import { generate } from '../../generator/pipeline/pipeline.ts';
import type { GenerateOptions } from '../../generator/pipeline/pipeline.ts';
import type { Report } from '../../generator/pipeline/report.ts';

/** An index without pages for people, which are most of the work of a run; `tests/site/` has the tests of those. */
export function generateDocuments(options: GenerateOptions): Promise<Report> {
  return generate({ pages: false, ...options });
}
