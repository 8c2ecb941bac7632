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
import {
  mkdtempSync,
  rmSync,
  statSync,
  closeSync,
  mkdirSync,
  openSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { canonicalJson } from '../format/document/canonical-json.ts';
import { headPath, tarballPath, urlPath } from '../format/index/layout.ts';

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

/** Makes access logs, and the index that they refer to, for `ingest.ts`. Same arguments, same bytes. */
type LogForm = 'combined' | 'cloudfront' | 'json';

interface MadeLog {
  readonly lines: number;
  readonly builds: number;
  readonly clients: number;
  /** Share of lines that are about tarballs; the others are records, heads and pages. */
  readonly tarballs: number;
}

const SIZE = 40_960;
const AGENTS = [
  'stackyard/0.1.0 node/24.1.0',
  'curl/8.9.1',
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
];
const OTHERS = ['/registry.json', '/heads/owner-1/build-1.json', '/catalog.json', '/index.html'];

/** Writes the heads of `builds` builds with one version each, and `registry.json`. */
function makeIndex(folder: string, builds: number): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'registry.json'), '{}\n');
  for (let at = 0; at < builds; at += 1) {
    const version = {
      version: '1.0.0',
      published_at: '2026-01-01T00:00:00.000Z',
      integrity: 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
      size: SIZE,
      requires: {},
      provides: [],
      builds: {},
      risk: 'ok',
      yanked: false,
    };
    const head = { id: idOf(at), kind: 'module', latest: '1.0.0', versions: [version] };
    const file = join(folder, headPath(idOf(at)));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, canonicalJson(head));
  }
}

/** Writes a log of two days. */
function makeLog(file: string, form: LogForm, made: MadeLog): void {
  const descriptor = openSync(file, 'w');
  const random = randomNumbers();
  let text = '';
  for (let at = 0; at < made.lines; at += 1) {
    text += lineOf(form, made, random);
    if (text.length < 1_000_000) continue;
    writeSync(descriptor, text);
    text = '';
  }
  writeSync(descriptor, text);
  closeSync(descriptor);
}

function lineOf(form: LogForm, made: MadeLog, random: (below: number) => number): string {
  const isTarball = random(1_000) < made.tarballs * 1_000;
  // A few builds have most of the downloads.
  const build = Math.floor((random(1_000) / 1_000) ** 3 * made.builds);
  const target = isTarball
    ? `/${urlPath(tarballPath(idOf(build), '1.0.0'))}`
    : OTHERS[random(OTHERS.length)]!;
  const client = random(made.clients);
  const address =
    client % 4 === 0
      ? `2001:db8:${(client >> 12).toString(16)}:${(client & 0xfff).toString(16)}::1`
      : `10.${(client >> 16) & 255}.${(client >> 8) & 255}.${client & 255}`;
  const agent = AGENTS[random(AGENTS.length)]!;
  const day = 20 + random(2);
  const time = `${pad(random(24))}:${pad(random(60))}:${pad(random(60))}`;
  if (form === 'combined') {
    return `${address} - - [${day}/Nov/2026:${time} +0000] "GET ${target} HTTP/1.1" 200 ${SIZE} "-" "${agent}"\n`;
  }
  if (form === 'cloudfront') {
    const escaped = agent.replaceAll(' ', '%20');
    return `2026-11-${day}\t${time}\tFRA56-P1\t${SIZE + 500}\t${address}\tGET\td1.example.net\t${target}\t200\t-\t${escaped}\t-\t-\tHit\tx\texample.net\thttps\t300\t0.01\t-\tTLSv1.3\t-\tHit\tHTTP/2.0\t-\t-\t443\t0.01\tHit\tapplication/gzip\t${SIZE}\t-\t-\n`;
  }
  return `{"remote_addr":"${address}","time_iso8601":"2026-11-${day}T${time}+00:00","request":"GET ${target} HTTP/1.1","status":"200","body_bytes_sent":"${SIZE}","http_referer":"","http_user_agent":"${agent}"}\n`;
}

function idOf(at: number): string {
  return `owner-${Math.floor(at / 4)}/build-${at}`;
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}

/** Marsaglia's xorshift: the same numbers each time. */
function randomNumbers(): (below: number) => number {
  let state = 2_463_534_242;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state % below;
  };
}
