/** Takes over what changed under `advisories/`, and stages the documents about it. */
import {
  Advisory,
  ADVISORIES_FOLDER,
  MAX_ADVISORY_BYTES,
  buildsOf,
  isAdvisoryId,
  type AdvisoryList,
} from '../../format/advisory/advisory.ts';
import { canonicalJson } from '../../format/document/canonical-json.ts';
import { finding } from '../../format/finding/finding.ts';
import { ADVISORIES_PATH, advisoryPath } from '../../format/index/layout.ts';
import { changedFiles } from '../git/changed-files.ts';
import type { Repository } from '../git/repository.ts';
import type { ObjectReader } from '../git/object-reader.ts';
import { readDocument } from '../git/read-document.ts';
import type { State } from '../state/state.ts';
import type { Collected } from './collect.ts';
import type { AddFile } from './emit.ts';
import { formatDay, tryParseDay } from '../../format/statement/day.ts';
import { AGE_STEPS } from '../reputation.ts';

/** Ids of the advisories to make again, and of those that are gone. */
export interface ChangedAdvisories {
  readonly written: ReadonlySet<string>;
  readonly gone: ReadonlySet<string>;
}

/** Reads the advisories that differ from the last run into the state and marks their builds. */
export async function collectAdvisories(
  repository: Repository,
  reader: ObjectReader,
  state: State,
  since: string | undefined,
  collected: Pick<Collected, 'builds'>,
): Promise<ChangedAdvisories> {
  const [written, gone] = [new Set<string>(), new Set<string>()];
  const folder = `${repository.root ?? ''}${ADVISORIES_FOLDER}`;
  for (const { path, blob } of await changedFiles(repository, reader, folder, since)) {
    const id = path.slice(folder.length + 1).replace(/\.json$/, '');
    if (!path.endsWith('.json') || !isAdvisoryId(id)) continue;
    state.dropProblems(path);
    const read =
      blob === undefined
        ? undefined
        : await readDocument(reader, Advisory, blob, MAX_ADVISORY_BYTES);
    const advisory = read instanceof Error || read?.id !== id ? undefined : read;
    for (const build of state.advisories.set(id, advisory)) collected.builds.add(build);
    if (advisory === undefined) gone.add(id);
    else written.add(id);
    if (read === undefined || advisory !== undefined) continue;
    const problem =
      read instanceof Error ? read.message : `field "id" is "${read.id}", not the name of the file`;
    state.addHeadProblem(path, finding('advisory-invalid', '', { problem }));
  }
  return { written, gone };
}

/** Stages the documents of changed advisories and the list of all. */
export function writeAdvisories(state: State, { written }: ChangedAdvisories, add: AddFile): void {
  for (const id of written) {
    const advisory = state.advisories.find(id);
    if (advisory !== undefined) add(advisoryPath(id), canonicalJson(advisory));
  }
  add(ADVISORIES_PATH, canonicalJson(listOf(state.advisories.all())));
}

function listOf(advisories: readonly Advisory[]): AdvisoryList {
  return {
    advisories: advisories.map(({ id, modified, withdrawn, summary, affected }) => ({
      id,
      modified,
      ...(withdrawn === undefined ? {} : { withdrawn }),
      summary,
      builds: buildsOf({ affected }),
    })),
  };
}

/**
 * Adds to `owners` those whose age may have passed a step between two times: who published on a day that
 * that long ago. Owners that published earlier too are included without need, which does no harm.
 * @param before the newest commit's time at the last run; `undefined` for a full run, which covers all owners
 */
export function collectAged(
  state: State,
  before: string | undefined,
  now: string,
  owners: Set<string>,
): void {
  if (before === undefined) return;
  // With a committer's clock that is behind, time goes backwards, and ages decrease.
  const [from, to] = [before, now].map(dayOf).sort((a, b) => a - b) as [number, number];
  if (from === to) return;
  for (const [days] of AGE_STEPS) {
    const ids = state.publishedBetween(formatDay(from - days + 1), formatDay(to - days + 1));
    for (const id of ids) owners.add(id.slice(0, id.indexOf('/')));
  }
}

function dayOf(time: string): number {
  return tryParseDay(time) ?? 0;
}
