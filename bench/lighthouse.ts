/**
 * Judges pages as a telephone loads them, with Lighthouse from npm, which is no dependency of this repository:
 *
 *     npm run lighthouse [-- --index index --build stackyard/express-api]
 *
 * `--index` is a folder that `npm run generate` made. Fails when a page has less than 100 in a category, when something on
 * it moves while it loads, or when the page of the build transfers more than 60 kB. Run it on an idle machine.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { sourceAddress } from '../format/index/site-path.ts';
import { serveIndex } from '../generator/serve/serve-index.ts';

const LIGHTHOUSE = 'lighthouse@13.5.0';
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
const MAX_BUILD_BYTES = 60_000;
const CHROMIUM = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'];
const run = promisify(execFile);

/** What is read of a report. */
interface Report {
  readonly categories: Readonly<Record<string, { readonly score: number | null }>>;
  readonly audits: Readonly<Record<string, { readonly numericValue?: number }>>;
}

const { values } = parseArgs({
  options: {
    index: { type: 'string', default: 'index' },
    build: { type: 'string', default: 'stackyard/express-api' },
  },
});
process.exitCode = await judgeAll(values.index, values.build);

async function judgeAll(index: string, build: string): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'stackyard-lighthouse-'));
  const server = await serveIndex(index, 0);
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let isWorse = false;
  try {
    for (const [name, path] of Object.entries(pagesOf(index, build))) {
      const file = join(folder, `${name}.json`);
      const { categories, audits } = await report(`${address}/${path}`, file);
      const scores = CATEGORIES.map((one) => Math.round((categories[one]?.score ?? 0) * 100));
      const shift = audits['cumulative-layout-shift']?.numericValue ?? 1;
      const bytes = Math.round(audits['total-byte-weight']?.numericValue ?? Infinity);
      const words = CATEGORIES.map((one, at) => `${one} ${scores[at]}`).join(', ');
      console.log(`${name}: ${words}; layout shift ${shift}; ${bytes} bytes`);
      isWorse ||= scores.some((score) => score < 100) || shift > 0;
      isWorse ||= name === 'build' && bytes > MAX_BUILD_BYTES;
    }
  } finally {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true });
  }
  return isWorse ? 1 : 0;
}

/** The largest source file of the build stands for all files. */
function pagesOf(index: string, build: string): Record<string, string> {
  const record = JSON.parse(readFileSync(join(index, `builds/${build}.json`), 'utf8')) as {
    version: string;
    files: { path: string; size: number }[];
  };
  const sources = record.files.filter(({ path }) => /\.(?:ts|py)$/.test(path));
  const [file] = sources.toSorted((a, b) => b.size - a.size);
  const { version } = record;
  return {
    home: '',
    build: `builds/${build}/`,
    source: sourceAddress({ id: build, version, file: file?.path ?? 'README.md' }),
    search: 'search/?q=api',
  };
}

/** Runs it three times and takes the report with the middle performance: other programs take time, too. */
async function report(url: string, file: string): Promise<Report> {
  const reports: Report[] = [];
  for (let turn = 0; turn < 3; turn += 1) {
    const flags = [
      `--chrome-flags=${CHROMIUM.join(' ')}`,
      '--output=json',
      `--output-path=${file}`,
    ];
    const env = { CHROME_PATH: '/usr/bin/chromium', ...process.env };
    await run('npx', ['--yes', LIGHTHOUSE, url, '--quiet', ...flags], { env });
    reports.push(JSON.parse(readFileSync(file, 'utf8')) as Report);
  }
  const score = ({ categories }: Report): number => categories['performance']?.score ?? 0;
  return reports.toSorted((a, b) => score(a) - score(b))[1]!;
}
