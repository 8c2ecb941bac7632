/**
 * Compares our search data with MiniSearch over the catalog's shards and with Pagefind: time and memory to make the files,
 * what one publication changes, whether two ways give the same bytes, and sessions of a visitor in Chromium.
 *
 *     npm run bench:search [-- --builds 10000 --engines own,minisearch,pagefind --texts packages.tsv]
 *
 * `--texts` takes names and descriptions of real packages instead of made ones: lines of name, version, downloads and
 * description, divided by tabs. The three engines run one after the other in processes of their own.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import Database from 'better-sqlite3';
import { browserModule } from '../generator/site/browser/browser-module.ts';
import type { SearchBuild } from '../generator/site/search/search-terms.ts';
import { updateSearch } from '../generator/site/search/update-search.ts';
import { prepareTables } from '../generator/state/schema.ts';
import { SearchTable } from '../generator/site/search/search-table.ts';
import { makeCatalog } from './made-catalog.ts';
import { closePeers, writeMiniSearch, writePagefind } from './search-peers.ts';
import { launchBrowser, measureSession } from './search-sessions.ts';

const { values } = parseArgs({
  options: {
    builds: { type: 'string', default: '10000' },
    engines: { type: 'string', default: 'own,minisearch,pagefind' },
    texts: { type: 'string' },
  },
});
const SESSIONS = ['typescript database', 'sqlite', 'react table component'];
const LATENCY_MS = 40;

type Write = (folder: string, builds: readonly SearchBuild[]) => Promise<void> | void;
const ENGINES: Readonly<Record<string, Write>> = {
  own: writeOwn,
  minisearch: writeMiniSearch,
  pagefind: writePagefind,
};

/** Brings the first folder that our own engine wrote up to changed builds. */
let update: ((folder: string, builds: readonly SearchBuild[]) => void) | undefined;

const engines = values.engines.split(',');
if (engines.length > 1) {
  for (const engine of engines) {
    const own = process.argv
      .slice(2)
      .filter((text, at, all) => text !== '--engines' && all[at - 1] !== '--engines');
    const { status } = spawnSync(
      process.execPath,
      [import.meta.filename, ...own, '--engines', engine],
      { stdio: 'inherit' },
    );
    if (status !== 0) process.exitCode = 1;
  }
} else {
  await measure(engines[0]!, ENGINES[engines[0]!]!);
}

async function measure(engine: string, write: Write): Promise<void> {
  const builds = makeCatalog(Number(values.builds), values.texts);
  const more = [...builds, { ...builds[7]!, id: 'new-owner/sqlite-queue', downloads: 0 }];
  const root = mkdtempSync(join(tmpdir(), 'stackyard-bench-search-'));
  const folder = join(root, 'site');
  console.log(`\n${engine}, ${builds.length} builds`);
  try {
    await timed('all files', () => write(folder, builds));
    const before = digests(folder);
    const bytes = [...before.keys()].reduce(
      (sum, file) => sum + statSync(join(folder, file)).size,
      0,
    );
    print('files', `${before.size}, ${(bytes / 1e6).toFixed(1)} MB`);
    await write(join(root, 'again'), builds);
    print(
      'the same bytes again',
      String(changed(before, digests(join(root, 'again'))).length === 0),
    );
    if (engine === 'own') await timed('one new build', () => update!(folder, more.slice(-1)));
    else await timed('one new build', () => write(join(root, 'more'), more));
    const after = digests(engine === 'own' ? folder : join(root, 'more'));
    print('files that it changed', String(changed(before, after).length));
    if (engine === 'own') {
      await write(join(root, 'full'), more);
      print(
        'incremental equals full',
        String(changed(after, digests(join(root, 'full'))).length === 0),
      );
    }
    await sessions(folder);
  } finally {
    await closePeers();
    rmSync(root, { recursive: true });
  }
}

async function sessions(folder: string): Promise<void> {
  const browser = await launchBrowser();
  const runs: [string, { compresses: boolean; latency?: number }][] = [
    ['texts compressed', { compresses: true }],
    ['nothing compressed', { compresses: false }],
    [`compressed, ${LATENCY_MS} ms, 10 Mbit/s`, { compresses: true, latency: LATENCY_MS }],
  ];
  for (const [name, options] of runs) {
    for (const words of SESSIONS) {
      const session = { folder, page: 'index.html', words, ...options };
      try {
        const { first, last, bytes, requests, result } = await measureSession(browser, session);
        const figures = `first ${first.toFixed(0)} ms, last ${last.toFixed(0)} ms, ${(bytes / 1000).toFixed(0)} kB, ${requests} requests`;
        print(`${name}: "${words}"`, `${figures} (${result})`);
      } catch (error) {
        print(`${name}: "${words}"`, `failed: ${String(error).split('\n')[0]}`);
      }
    }
  }
  await browser.close();
}

async function writeOwn(folder: string, builds: readonly SearchBuild[]): Promise<void> {
  const db = new Database(`${folder}.sqlite`);
  db.pragma('synchronous = NORMAL');
  prepareTables(db);
  const statements = new Map<string, Database.Statement>();
  const table = new SearchTable((sql) => {
    const statement = statements.get(sql) ?? db.prepare(sql);
    statements.set(sql, statement);
    return statement;
  });
  const run = (to: string, changed: readonly SearchBuild[]): void => {
    db.exec('BEGIN');
    const made = new Set<string>();
    const removed = updateSearch(table, changed, (path, content) => {
      const file = join(to, path);
      if (!made.has(dirname(file))) mkdirSync(dirname(file), { recursive: true });
      made.add(dirname(file));
      writeFileSync(file, content);
    });
    for (const path of removed) rmSync(join(to, path));
    db.exec('COMMIT');
  };
  run(folder, builds);
  update ??= run;
  const files = await browserModule();
  mkdirSync(join(folder, 'assets'), { recursive: true });
  for (const { name, text } of files) writeFileSync(join(folder, 'assets', name), text);
  writeFileSync(
    join(folder, 'index.html'),
    `<!doctype html><html lang="en" data-root="./"><meta charset="utf-8"><title>Search</title><link rel="icon" href="data:,">
<form action="search/"><input id="q" name="q" data-search-input><p data-search-status></p></form>
<script type="module" src="assets/${files[0]!.name}"></script></html>`,
  );
}

async function timed(what: string, work: () => Promise<void> | void): Promise<void> {
  const from = performance.now();
  await work();
  const rss = process.resourceUsage().maxRSS / 1024;
  print(
    what,
    `${((performance.now() - from) / 1000).toFixed(2)} s, memory at most ${rss.toFixed(0)} MB`,
  );
}

function digests(folder: string): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  return new Map(
    files
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((file) => [
        file.slice(folder.length + 1),
        createHash('sha256').update(readFileSync(file)).digest('hex'),
      ]),
  );
}

/** The files that differ, or that only one of the two has. */
function changed(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): string[] {
  return [...new Set([...a.keys(), ...b.keys()])].filter((file) => a.get(file) !== b.get(file));
}

function print(name: string, value: string): void {
  console.log(`  ${name.padEnd(48)} ${value}`);
}
