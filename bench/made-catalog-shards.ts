/** Makes the part of an index that a search reads: the generator's own shards, of made builds. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { canonicalJson } from '../format/document/canonical-json.ts';
import { INTERFACE_VERSION } from '../format/index/registry-info.ts';
import { shardBits, writeCatalog } from '../generator/pipeline/catalog-shards.ts';
import { State } from '../generator/state/state.ts';

const SUBJECTS =
  'sqlite login queue mail table form cache search upload invoice chart editor map feed auth log'.split(
    ' ',
  );
const USES = 'react vue express hono fastapi plain typed small fast server browser worker'.split(
  ' ',
);

/** Writes the catalog of `builds` builds to the folder `out`. */
export function makeCatalogShards(out: string, builds: number): void {
  const file = join(out, '.state.sqlite');
  mkdirSync(out, { recursive: true });
  const state = State.open(file);
  for (let build = 0; build < builds; build += 1) addBuild(state, build);
  writeCatalog(state, new Set(), (path, content) => {
    mkdirSync(dirname(join(out, path)), { recursive: true });
    writeFileSync(join(out, path), content);
  });
  state.close();
  rmSync(file);
  const info = {
    name: 'Made',
    interface: INTERFACE_VERSION,
    base_url: '',
    builds,
    versions: builds,
  };
  const more = { source_commit: '0'.repeat(40), log: { origin: 'localhost/log' } };
  writeFileSync(join(out, 'registry.json'), canonicalJson({ ...info, ...more }));
}

function addBuild(state: State, build: number): void {
  const owner = `owner-${Math.floor(build / 4)}`;
  const subject = SUBJECTS[build % SUBJECTS.length]!;
  const use = USES[Math.floor(build / SUBJECTS.length) % USES.length]!;
  const id = `${owner}/${use}-${subject}-${build}`;
  state.setBuild(owner, shardBits(id), {
    id,
    kind: 'module',
    latest: `1.${build % 20}.0`,
    description: `A ${subject} for ${use} projects, with tests and a guide, made for measuring`,
    keywords: [subject, use, 'made'],
    requires: { typescript: '*', [use]: '>=1' },
    provides: [`${subject}-${use}`],
    license: 'MIT',
    risk: 'ok',
    quality: 60 + (build % 40),
    downloads: (build * 7919) % 10_000,
    agent_reports: { success: build % 9, failure: build % 3, success_rate: 0.75 },
    reputation: build % 100,
    updated_at: new Date(1_767_225_600_000 + build * 60_000).toISOString(),
    deprecated: build % 50 === 0,
    yanked: build % 100 === 0,
  });
}
