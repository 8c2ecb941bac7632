/**
 * Makes one page with the README of each build, in a process of its own, and prints the processor seconds as JSON:
 *
 *     node bench/site-pages.ts ours <index> <folder to write to>
 *     node bench/site-pages.ts eleventy <folder with a Markdown file per build> <folder to write to>
 *
 * Ours reads the documents of a build and writes its whole page; Eleventy reads the README and puts it into a layout of one line.
 */
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Capabilities } from '../format/index/capabilities.ts';
import type { Head, PackageRecord } from '../format/index/record.ts';
import { capabilitiesPath, headPath, recordPath } from '../format/index/layout.ts';
import { RegistryConfig } from '../format/registry/registry-config.ts';
import { loadAssets } from '../generator/site/assets.ts';
import { buildPage } from '../generator/site/build/build-page.ts';
import { renderMarkdown } from '../generator/site/markdown/render-markdown.ts';
import { siteOf } from '../generator/site/site.ts';

const [contender, from = '', to = ''] = process.argv.slice(2);
const work = contender === 'ours' ? await ours() : await eleventy();
const before = process.cpuUsage();
await work();
const { user, system } = process.cpuUsage(before);
console.log(JSON.stringify({ seconds: (user + system) / 1e6 }));

async function ours(): Promise<() => Promise<void>> {
  const config = RegistryConfig.parse({ site: { highlighting: false, images: false } });
  const { assets } = await loadAssets();
  const site = siteOf(config, assets, { hasClient: false, logKey: undefined });
  const read = (path: string): unknown => JSON.parse(readFileSync(join(from, path), 'utf8'));
  const options = { hasColours: false, prefix: 'readme-', level: 3, resolve: () => undefined };
  return async () => {
    for (const owner of readdirSync(join(from, 'heads'))) {
      for (const file of readdirSync(join(from, 'heads', owner))) {
        const id = `${owner}/${file.slice(0, -'.json'.length)}`;
        const latest = read(recordPath(id)) as PackageRecord;
        const head = read(headPath(id)) as Head;
        const lists = read(capabilitiesPath(id, latest.version)) as Capabilities;
        const view = {
          id,
          latest,
          head,
          compatibility: undefined,
          waivers: undefined,
          capabilities: lists,
          advisories: [],
          months: [],
          dependents: [],
          dependentCount: 0,
          providers: {},
          foundations: [],
          modules: [],
          brings: {},
        };
        const readme = renderMarkdown(latest.readme, options);
        const folder = join(to, id);
        mkdirSync(folder, { recursive: true });
        writeFileSync(
          join(folder, 'index.html'),
          buildPage(site, view, { readme, integration: undefined }),
        );
      }
    }
  };
}

async function eleventy(): Promise<() => Promise<void>> {
  // @ts-expect-error -- it has no types
  const { default: Eleventy } = await import('@11ty/eleventy');
  process.chdir(from);
  const run = new Eleventy('.', to, { quietMode: true });
  return async () => void (await run.write());
}
