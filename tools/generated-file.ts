/** Files that are generated from our own code and committed: written, or with `--check` only compared. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { NearNames, normalPipName } from '../scan/package/near-name.ts';

export interface GeneratedFile {
  /** Path from the root of the repository, `/`-separated. */
  readonly path: string;
  readonly text: string;
}

/** Writes the files that differ and returns their paths; with `isCheck` it only returns the paths. */
export function updateFiles(
  root: string,
  files: readonly GeneratedFile[],
  isCheck: boolean,
): string[] {
  const stale = files.filter(({ path, text }) => readIfPresent(join(root, path)) !== text);
  if (!isCheck) {
    for (const { path, text } of stale) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
  }
  return stale.map(({ path }) => path);
}

/**
 * The command around `updateFiles`, for this repository: `--check` exits 1 and names the stale files.
 * @param remedy the command that writes them again
 */
export function runUpdate(files: readonly GeneratedFile[], remedy: string): void {
  const isCheck = process.argv.includes('--check');
  const stale = updateFiles(join(import.meta.dirname, '..'), files, isCheck);
  if (!isCheck) {
    for (const path of stale) console.log(`wrote ${path}`);
    return;
  }
  for (const path of stale) console.error(`error: ${path} is stale`);
  if (stale.length === 0) return;
  console.error(`hint: run ${remedy}`);
  process.exitCode = 1;
}

function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Writes the lists of popular package names that the check `dependency-name` compares with, from two tables of
 * packages in tab-separated values:
 *
 *     node tools/generated-file.ts <npm.tsv> <pypi.tsv> <YYYY-MM of the tables>
 *
 * The first has columns name and downloads_a_month, the second name and rank_among_15000_most_downloaded. A name
 * near a popular one is benign when the tables show that it is used, too.
 */
const POPULAR = 6000;
/** Less used but often imitated, because there is money to steal. */
const IMITATED = [
  'discord.js',
  'noblox.js',
  'telegraf',
  'web3',
  'ethers',
  'hardhat',
  '@solana/web3.js',
  'bitcoinjs-lib',
  'node-telegram-bot-api',
  'puppeteer',
  'electron',
];
/** More downloads a month than typing mistakes can cause. */
const USED = 50_000;

/** Near a popular name, too new to be used much, and by the same authors. */
const SUCCESSORS = ['httpx2', 'safer-buffer'];

interface Row {
  readonly name: string;
  readonly downloads: number;
}

function readTable(path: string, column: string): Row[] {
  const [head = '', ...lines] = readFileSync(path, 'utf8').split('\n');
  const columns = head.split('\t');
  const [name, value] = [columns.indexOf('name'), columns.indexOf(column)];
  if (name === -1 || value === -1) throw new Error(`${path} has no columns "name" and "${column}"`);
  return lines.flatMap((line) => {
    const cells = line.split('\t');
    const number = Number(cells[value]);
    return number > 0 ? [{ name: cells[name] ?? '', downloads: number }] : [];
  });
}

function listOf(rows: readonly Row[], used: readonly Row[], origin: string, date: string): string {
  const imitated = IMITATED.filter((name) => rows.some((row) => row.name === name));
  const names = [...new Set([...rows.slice(0, POPULAR).map((row) => row.name), ...imitated])];
  const near = new NearNames(names, []);
  const benign = [...used.map((row) => row.name), ...SUCCESSORS].filter(
    (name) => near.near(name) !== undefined,
  );
  return `${JSON.stringify({ origin, date, names: names.sort(), benign: benign.sort() }, null, 2)}\n`;
}

if (import.meta.main) {
  const [npmTable, pipTable, date] = process.argv.slice(2).filter((arg) => !arg.startsWith('--'));
  if (npmTable === undefined || pipTable === undefined || date === undefined) {
    throw new Error('Usage: node tools/generated-file.ts <npm.tsv> <pypi.tsv> <YYYY-MM>');
  }
  const npm = readTable(npmTable, 'downloads_a_month').sort((a, b) => b.downloads - a.downloads);
  const pip = readTable(pipTable, 'rank_among_15000_most_downloaded')
    .sort((a, b) => a.downloads - b.downloads)
    .map(({ name, downloads }) => ({ name: normalPipName(name), downloads }));
  const folder = 'scan/package';
  runUpdate(
    [
      {
        path: `${folder}/popular-npm.json`,
        text: listOf(
          npm,
          npm.filter((row) => row.downloads >= USED),
          'npm packages by downloads in a month',
          date,
        ),
      },
      {
        path: `${folder}/popular-pip.json`,
        text: listOf(pip.slice(0, POPULAR), pip, 'Python distributions by rank of downloads', date),
      },
    ],
    'node tools/generated-file.ts',
  );
}
