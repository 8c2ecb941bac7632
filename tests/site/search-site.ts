/** A small site with the markup that the browser module uses, its catalog, and a browser that opens it. */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import type { Browser } from 'playwright-core';
import { serveIndex } from '../../generator/serve/serve-index.ts';
import { browserModule } from '../../generator/site/browser/browser-module.ts';
import type { BuildSummary } from '../../format/index/record.ts';
import { CATALOG_PATH, shardPath } from '../../format/index/layout.ts';
import { openChromium } from './open-chromium.ts';

/** A site below a folder of its host, as some hosts have it. */
const SITE_FOLDER = 'registry';

/** Writes catalog, module and pages. */
export async function writeSearchSite(
  folder: string,
  builds: readonly BuildSummary[],
): Promise<void> {
  const write = (path: string, content: string | Uint8Array): void => {
    const file = join(folder, SITE_FOLDER, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  };
  const shard = JSON.stringify({ builds });
  const sha256 = createHash('sha256').update(shard).digest('hex');
  write(shardPath(sha256), shard);
  write(CATALOG_PATH, JSON.stringify({ shards: [{ count: builds.length, prefix: '', sha256 }] }));
  const files = await browserModule();
  for (const { name, text } of files) write(`assets/${name}`, text);
  const [entry] = files;
  write('index.html', homePage(entry!.name));
  write('search/index.html', searchPage(entry!.name));
  const [first] = builds;
  if (first !== undefined)
    write(`builds/${first.id}/index.html`, '<title>A build</title><link rel="icon" href="data:,">');
}

export interface SearchSite {
  /** With a slash at its end. */
  readonly address: string;
  readonly browser: Browser;
  readonly close: () => Promise<void>;
}

/** Serves a folder that `writeSearchSite` made, and starts Debian's Chromium. */
export async function openSearchSite(folder: string): Promise<SearchSite> {
  const server = await serveIndex(folder, 0);
  const browser = await openChromium();
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}/${SITE_FOLDER}/`,
    browser,
    close: async () => {
      await browser.close();
      server.closeAllConnections();
      await new Promise<void>((done) => {
        server.close(() => done());
      });
    },
  };
}

function homePage(entry: string): string {
  return page(
    './',
    'home',
    entry,
    `<header>${form('./', '')}</header><main id="main"><h1>Registry</h1>
<div class="tabs" data-tabs="manager"><div class="tab-panel" data-tab="npm" data-label="npm"><code id="install-npm">npx add</code><button type="button" class="copy" data-copy="install-npm" hidden>Copy</button></div>
<div class="tab-panel" data-tab="pnpm" data-label="pnpm"><code>pnpm dlx add</code></div></div>
</main>`,
  );
}

function searchPage(entry: string): string {
  const filters = `<fieldset><legend>Kind</legend><label><input type="radio" name="kind" value="" checked> any</label>
<label><input type="radio" name="kind" value="foundation"> foundation</label></fieldset>
<label>Stack <select name="tag"><option value=""></option><option>typescript</option></select></label>
<label>Risk <select name="risk"><option value=""></option><option>ok</option><option>caution</option></select></label>`;
  return page(
    '../',
    'search',
    entry,
    `<main data-search-page id="main"><h1>Search</h1>${form('../', filters)}
<p role="status" data-result-count></p><ol class="build-list" data-results><li class="build-row"><a class="build-name" href="../builds/best/one/">best/one</a></li></ol>
<p data-no-results hidden>Look at the <a href="../tags/">tags</a>.</p></main>`,
  );
}

function page(root: string, kind: string, entry: string, body: string): string {
  return `<!doctype html><html lang="en" data-root="${root}" data-page="${kind}"><head><meta charset="utf-8"><title>Registry</title>
<link rel="icon" href="data:,"><script type="module" src="${root}assets/${entry}"></script></head><body>${body}
<p role="status" id="announce"></p></body></html>`;
}

function form(root: string, filters: string): string {
  return `<form role="search" class="search" data-search action="${root}search/" method="get"><label for="q">Search builds</label><input id="q" type="search" name="q" autocomplete="off" data-search-input><button type="submit">Search</button>
${filters}</form>`;
}
