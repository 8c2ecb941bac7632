/** Makes access logs, and the index that they refer to, for `ingest.ts`. Same arguments, same bytes. */
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { canonicalJson } from '../format/document/canonical-json.ts';
import { headPath, tarballPath, urlPath } from '../format/index/layout.ts';

export type LogForm = 'combined' | 'cloudfront' | 'json';

export interface MadeLog {
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
export function makeIndex(folder: string, builds: number): void {
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
export function makeLog(file: string, form: LogForm, made: MadeLog): void {
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
