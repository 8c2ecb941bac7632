/** The work that can be done side by side: in this thread or in worker threads. */
import type { Measure } from '../../examine/examine-build.ts';
import { examine } from './examine.ts';
import type { Examined } from './examine.ts';
import type { ObjectReader } from '../git/object-reader.ts';
import { render } from './render.ts';
import type { Rendered, StoredBuild } from './render.ts';
import type { Candidate } from './discover.ts';
import type { Stage } from './emit.ts';

export type Job =
  | { readonly kind: 'examine'; readonly candidate: Candidate }
  | { readonly kind: 'render'; readonly build: StoredBuild };

export type Result<J extends Job> = J extends { kind: 'examine' } ? Examined : Rendered;

/** Where jobs read from and write to. */
export interface Workplace {
  /** Folder of the git repository. */
  readonly repository: string;
  /** Folder of the index. */
  readonly out: string;
}

export async function perform(
  job: Job,
  reader: ObjectReader,
  stage: Stage,
  measure: Measure,
): Promise<Examined | Rendered> {
  return job.kind === 'examine'
    ? examine(job.candidate, reader, stage, measure)
    : render(job.build, stage);
}
