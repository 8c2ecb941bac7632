/**
 * Writes the lists of popular package names that the check `dependency-name` compares with, from two tables of
 * packages in tab-separated values:
 *
 *     node tools/write-popular-names.ts <npm.tsv> <pypi.tsv> <YYYY-MM of the tables>
 *
 * The first has columns name and downloads_a_month, the second name and rank_among_15000_most_downloaded. A name
 * near a popular one is benign when the tables show that it is used, too.
 */
import { readFileSync } from 'node:fs';
import { NearNames } from '../scan/package/near-name.ts';
import { normalPipName } from '../scan/package/popular-names.ts';
import { runUpdate } from './generated-file.ts';

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
    throw new Error('Usage: node tools/write-popular-names.ts <npm.tsv> <pypi.tsv> <YYYY-MM>');
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
    'node tools/write-popular-names.ts',
  );
}
