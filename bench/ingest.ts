/**
 * Measures speed and memory of `ingest downloads`, pinned to one processor, against the minimal work on a
 * log: reading it and finding its newlines in a plain loop of Node.js, in the same rounds.
 *
 *     npm run bench:ingest -- [--lines N] [--rounds N]
 *
 * Prints lines per second of processor time, including the start of the program and the writing of signals,
 * as the best of all rounds, and the peak resident memory; then the same for a log four times as large, which
 * must not need more memory. Processor time is used because other work on the machine affects it least.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeIndex, makeLog } from './made-log.ts';
import type { LogForm } from './made-log.ts';

const { values } = parseArgs({
  options: {
    lines: { type: 'string', default: '2000000' },
    builds: { type: 'string', default: '2000' },
    rounds: { type: 'string', default: '3' },
    folder: { type: 'string', default: tmpdir() },
  },
});
const [lines, builds, rounds] = [values.lines, values.builds, values.rounds].map(Number) as [
  number,
  number,
  number,
];
const folder = mkdtempSync(join(values.folder, 'stackyard-bench-'));
const INGEST = join(import.meta.dirname, '../generator/main.ts');
const TARGET = 300_000;
/** The plain loop, in a process of its own like the command. */
const FLOOR = `const fs=require('node:fs');let n=0;fs.createReadStream(process.argv[1],{highWaterMark:1<<20}).on('data',(c)=>{for(let i=c.indexOf(10);i>=0;i=c.indexOf(10,i+1))n+=1}).on('end',()=>console.log(n))`;

interface Measured {
  readonly seconds: number;
  readonly peakMb: number;
}

try {
  main();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function main(): void {
  const index = join(folder, 'index');
  makeIndex(index, builds);
  const made = { lines, builds, clients: 200_000, tarballs: 0.4 };
  const cases: readonly (readonly [name: string, form: LogForm, share: number, gzip: boolean])[] = [
    ['combined', 'combined', 0.4, false],
    ['combined, gzip', 'combined', 0.4, true],
    ['combined, tarballs only', 'combined', 1, false],
    ['CloudFront', 'cloudfront', 0.4, false],
    ['JSON lines', 'json', 0.4, false],
  ];
  print('lines', `${lines}, of which 40 % about ${builds} tarballs by 200,000 clients`);
  const start = best(() => run(index, '/dev/null'));
  print('start of the program', `${start.seconds.toFixed(2)} s, ${start.peakMb.toFixed(0)} MB`);
  for (const [name, form, tarballs, gzip] of cases) {
    let log = join(folder, 'access.log');
    makeLog(log, form, { ...made, tarballs });
    const size = statSync(log).size;
    const floor = best(() => measure(['-e', FLOOR, log]));
    if (gzip) {
      execFileSync('gzip', ['-f', '-1', log]);
      log = `${log}.gz`;
    }
    const measured = best(() => run(index, log));
    const rate = lines / measured.seconds;
    print(
      name,
      `${rate.toFixed(0)} lines/s (${(rate / TARGET).toFixed(1)} x target), ` +
        `${(size / 1e6 / measured.seconds).toFixed(0)} MB/s, ${measured.peakMb.toFixed(0)} MB; ` +
        `${(measured.seconds / floor.seconds).toFixed(1)} x bare loop`,
    );
    rmSync(log);
  }
  const log = join(folder, 'large.log');
  makeLog(log, 'combined', { ...made, lines: 4 * lines, clients: 2_000_000 });
  const large = run(index, log);
  const gigabytes = statSync(log).size / 1e9;
  print(
    `combined, ${gigabytes.toFixed(1)} GB`,
    `${((4 * lines) / large.seconds).toFixed(0)} lines/s, ${large.peakMb.toFixed(0)} MB`,
  );
}

/** The first read of a log, with a new state. */
function run(index: string, log: string): Measured {
  const repo = join(folder, 'repo');
  rmSync(repo, { recursive: true, force: true });
  const state = join(folder, 'state.sqlite');
  rmSync(state, { force: true });
  return measure([
    INGEST,
    'ingest',
    'downloads',
    '--repo',
    repo,
    '--index',
    index,
    '--state',
    state,
    log,
  ]);
}

function measure(args: readonly string[]): Measured {
  const watch = `process.on('exit',()=>{const u=process.resourceUsage();process.stderr.write('used '+(u.userCPUTime+u.systemCPUTime)+' '+u.maxRSS)})`;
  const preload = `data:text/javascript,${encodeURIComponent(watch)}`;
  const [file, all] = onOneProcessor([process.execPath, '--import', preload, ...args]);
  const ended = spawnSync(file, all, { encoding: 'utf8' });
  const [, microseconds, kilobytes] = /used (\d+) (\d+)/.exec(ended.stderr) ?? [];
  if (ended.status !== 0 || microseconds === undefined) throw new Error(ended.stderr);
  return { seconds: Number(microseconds) / 1e6, peakMb: Number(kilobytes) / 1024 };
}

function onOneProcessor([file = '', ...args]: readonly string[]): [string, string[]] {
  const canHold = spawnSync('taskset', ['-c', '0', 'true']).status === 0;
  return canHold ? ['taskset', ['-c', '0', file, ...args]] : [file, args];
}

function best(round: () => Measured): Measured {
  const runs = Array.from({ length: rounds }, round);
  const seconds = Math.min(...runs.map((m) => m.seconds));
  return { seconds, peakMb: Math.max(...runs.map((m) => m.peakMb)) };
}

function print(name: string, value: string): void {
  console.log(`${name.padEnd(26)} ${value}`);
}
