/** Makes and stages the documents of one build from its entry in the state. */
import { canonicalJson } from '../../format/document/canonical-json.ts';
import type { BuildSummary } from '../../format/index/catalog.ts';
import {
  capabilitiesPath,
  compatibilityPath,
  headPath,
  recordPath,
  versionRecordPath,
} from '../../format/index/layout.ts';
import { record } from './record.ts';
import type { VersionFacts } from '../../examine/version-facts.ts';
import type { BuildFacts } from './record.ts';
import type { Stage } from './emit.ts';
import { renderItems } from './render-items.ts';
import type { ItemWork, RenderedItems } from './render-items.ts';

/** `BuildFacts` as the state holds them. */
export interface StoredBuild extends Omit<BuildFacts, 'versions' | 'updated_at'> {
  /** `VersionFacts` of every version as JSON. */
  readonly versions: readonly string[];
  /** When yanks or signals last changed; `""` when never. */
  readonly changed_at: string;
}

export interface Rendered {
  readonly summary: BuildSummary;
  /** Ids of the builds that the latest version requires. */
  readonly needs: readonly string[];
  /** In a registry that has them. */
  readonly items: RenderedItems | undefined;
  /** How many documents are new to the index. */
  readonly written: number;
}

/** Stages the records and the head of a build, and its items for shadcn. */
export function render(build: StoredBuild, work: ItemWork | undefined, stage: Stage): Rendered {
  const facts = factsOf(build);
  const { records, capabilities, latest, head, compatibility, summary } = record(facts);
  let written = 0;
  const add = (path: string, text: string): void => {
    if (stage.add(path, text)) written += 1;
  };
  for (const one of records) {
    const text = canonicalJson(one);
    add(versionRecordPath(build.id, one.version), text);
    if (one === latest) add(recordPath(build.id), text);
  }
  for (const one of capabilities) {
    add(capabilitiesPath(build.id, one.version), canonicalJson(one));
  }
  add(headPath(build.id), canonicalJson(head));
  if (compatibility !== undefined) add(compatibilityPath(build.id), canonicalJson(compatibility));
  const needs = Object.keys(latest.manifest.builds ?? {});
  const items = work && renderItems(build.id, facts.versions, work, stage);
  return { summary, needs, items, written: written + (items?.written ?? 0) };
}

/** The facts of a build from its entry in the state. */
export function factsOf(build: StoredBuild): BuildFacts {
  const versions = build.versions.map((json) => JSON.parse(json) as VersionFacts);
  const times = [build.changed_at, ...versions.map((v) => v.published_at)];
  const updated_at = times.reduce((newest, time) => (time > newest ? time : newest));
  return { ...build, versions, updated_at };
}
