/** Pagefind and MiniSearch as a site would use them, for the benchmark of search: files and a page for each. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { canonicalJson } from '../format/document/canonical-json.ts';
import { MAX_SHARD_SUMMARIES } from '../format/index/catalog.ts';
import type { SearchBuild } from '../generator/site/search/search-terms.ts';

/** Installed by the benchmark alone: no other program needs them. */
const PEERS = ['minisearch@7.2.0', 'pagefind@1.6.0'];

/** What this file calls of the package. */
interface Pagefind {
  createIndex(options: { writePlayground: boolean }): Promise<{ index?: PagefindIndex }>;
  close(): Promise<unknown>;
}

interface PagefindIndex {
  addCustomRecord(record: object): Promise<{ errors: string[] }>;
  writeFiles(options: { outputPath: string }): Promise<{ errors: string[] }>;
  deleteIndex(): Promise<unknown>;
}

let installed: string | undefined;

const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Search</title><link rel="icon" href="data:,">
<input id="q"><div id="results"></div><script type="module" src="page.js"></script></html>`;

const SHOW = `
const show = (names) => results.replaceChildren(...names.map((name) => {
  const option = document.createElement('a');
  option.className = 'search-option';
  option.textContent = name;
  return option;
}));`;

/** The catalog in shards; the page reads all of them when the field has the focus, and builds an index. */
export function writeMiniSearch(folder: string, builds: readonly SearchBuild[]): void {
  mkdirSync(folder, { recursive: true });
  const shards: string[] = [];
  for (let from = 0; from < builds.length; from += MAX_SHARD_SUMMARIES) {
    shards.push(`shard-${from}.json`);
    const own = builds.slice(from, from + MAX_SHARD_SUMMARIES);
    writeFileSync(join(folder, shards.at(-1)!), canonicalJson({ builds: own }));
  }
  copyFileSync(
    join(installPeers(), 'node_modules/minisearch/dist/es/index.js'),
    join(folder, 'minisearch.js'),
  );
  writeFileSync(join(folder, 'index.html'), PAGE);
  writeFileSync(
    join(folder, 'page.js'),
    `import MiniSearch from './minisearch.js';
${SHOW}
let ready;
const load = async () => {
  const index = new MiniSearch({ fields: ['id', 'description', 'keywords', 'provides'],
    searchOptions: { prefix: true, combineWith: 'AND', boost: { id: 8, provides: 4, keywords: 4 } } });
  const shards = await Promise.all(${JSON.stringify(shards)}.map(async (name) => (await (await fetch(name)).json()).builds));
  index.addAll(shards.flat());
  return index;
};
q.onfocus = () => { ready ??= load(); };
q.oninput = async () => {
  const index = await ready;
  show(index.search(q.value).slice(0, 8).map(({ id }) => id));
};
`,
  );
}

/** One custom record for each build, with the filters of our search. */
export async function writePagefind(folder: string, builds: readonly SearchBuild[]): Promise<void> {
  const pagefind = await loadPagefind();
  const { index } = await pagefind.createIndex({ writePlayground: false });
  if (index === undefined) throw new Error('pagefind made no index');
  for (const build of builds) {
    const { errors } = await index.addCustomRecord({
      url: `/builds/${build.id}/`,
      content: [build.id, build.description, ...build.keywords, ...build.provides].join(' '),
      language: 'en',
      meta: { title: build.id, description: build.description, version: build.latest },
      filters: { kind: [build.kind], risk: [build.risk], stack: Object.keys(build.requires) },
    });
    if (errors.length > 0) throw new Error(errors.join());
  }
  const { errors } = await index.writeFiles({ outputPath: join(folder, 'pagefind') });
  if (errors.length > 0) throw new Error(errors.join());
  await index.deleteIndex();
  writeFileSync(join(folder, 'index.html'), PAGE);
  writeFileSync(
    join(folder, 'page.js'),
    `${SHOW}
let ready;
const load = async () => {
  const pagefind = await import('./pagefind/pagefind.js');
  await pagefind.init();
  return pagefind;
};
q.onfocus = () => { ready ??= load(); };
q.oninput = async () => {
  const words = q.value;
  const pagefind = await ready;
  const found = await pagefind.search(words);
  if (q.value !== words) return;
  show((await Promise.all(found.results.slice(0, 8).map((one) => one.data()))).map(({ meta }) => meta.title));
};
`,
  );
}

/** Ends the process of pagefind, and removes both packages. */
export async function closePeers(): Promise<void> {
  if (installed === undefined) return;
  await (await loadPagefind()).close();
  rmSync(installed, { recursive: true, force: true });
}

async function loadPagefind(): Promise<Pagefind> {
  const entry = join(installPeers(), 'node_modules/pagefind/lib/index.js');
  return (await import(pathToFileURL(entry).href)) as Pagefind;
}

/** The folder with both packages. */
function installPeers(): string {
  if (installed !== undefined) return installed;
  const folder = mkdtempSync(join(tmpdir(), 'stackyard-search-peers-'));
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const options = ['--no-audit', '--no-fund', '--silent'];
  execFileSync('npm', ['install', '--ignore-scripts', ...options, ...PEERS], { cwd: folder });
  installed = folder;
  return folder;
}
