/**
 * Compares speed and memory of the auth service with better-auth, bare Express and bare scrypt, all in one run.
 *
 *     node bench/auth.ts [--seconds N] [--rounds N] [--folder FOLDER] [--tiny]
 *
 * All servers hash with scrypt N = 2^15, r = 8, p = 3, use SQLite, and have no rate limit. Each server is a process of
 * its own. For `/me` the server is pinned to one processor and the load to another; when passwords are hashed, all
 * processes use all processors. Ratios to a floor (bare scrypt for hashes, bare Express for `/me`) come from short
 * alternating slices, floor, server, floor, server ..., and are the median of all pairs. Other figures are the best of
 * all slices, which other work on the machine affects least; of p99 the lowest, the median and the highest. The peers
 * are installed into a temporary folder. `--tiny` only shows that it runs: short slices, without better-auth.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { after, askOnce, Clients, type Call, type Load } from './auth-load.ts';
import {
  ACCOUNT,
  BARE,
  BETTER_AUTH,
  credentials,
  holdApart,
  installServers,
  readCpuSeconds,
  readPeakMb,
  SERVICE,
  startServer,
  stopServer,
  type Kind,
  type Server,
} from './auth-servers.ts';
import {
  describe,
  figure,
  print,
  readLoadAverage,
  comparePairs,
  median,
  type Pair,
} from './figures.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '3' },
    folder: { type: 'string', default: tmpdir() },
    tiny: { type: 'boolean', default: false },
  },
});
const [seconds, rounds] = values.tiny ? [0.1, 1] : [Number(values.seconds), Number(values.rounds)];
const folder = mkdtempSync(join(values.folder, 'stackyard-bench-auth-'));

const HASH_CLIENTS = values.tiny ? 2 : 8;
const ME_CLIENTS = 16;
const CROWDS = values.tiny ? [2] : [16, 64];
const MEMORY_CROWDS = values.tiny ? [2] : [64, 500];
const CROWD_SECONDS = values.tiny ? 0.1 : 1;
/** Until V8 has optimized the code of `/me`. */
const WARM_SECONDS = values.tiny ? 0.1 : 2;
/** Long enough for the server to accept all requests and to begin as many hashes as it allows. */
const MEMORY_SECONDS = 12;
const PEERS = values.tiny ? [] : [BETTER_AUTH];
const ALL = [SERVICE, BARE, ...PEERS];
/** The figures of one round. */
const ME_SLICES = values.tiny ? 1 : 6;
const ME_SLICE_SECONDS = values.tiny ? 0.1 : 1;
/** The number of hashes that the thread pool of Node.js computes at once. */
const FLOOR_IN_FLIGHT = 4;

interface Measured extends Load {
  /** Processor time of the server per response. */
  readonly cpuMs: number;
}

type Part = 'register' | 'login' | 'me' | `me during ${number} logins`;

/** By `<part> <name of the server>`. */
const loads = new Map<string, Measured[]>();
const crowdFailures = new Map<string, string>();
/** Scrypt only, directly before each slice of the same key. */
const floors = new Map<string, Pair[]>();
let databases = 0;

try {
  await main();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function main(): Promise<void> {
  installServers(folder, values.tiny);
  print(
    'settings',
    `${rounds} rounds of ${seconds} s, ${availableParallelism()} processors, Node.js ${process.version}; ${HASH_CLIENTS} clients register or log in, ${ME_CLIENTS} ask for /me`,
  );
  const averages = [readLoadAverage()];
  for (let round = 0; round < rounds; round += 1) {
    await measureMe();
    for (const kind of ALL) await withServer(kind, measureHashing);
    averages.push(readLoadAverage());
  }
  printHashing();
  printMe();
  for (const crowd of CROWDS) printDuring(`me during ${crowd} logins`);
  for (const crowd of MEMORY_CROWDS) {
    for (const kind of [SERVICE, ...PEERS])
      await withServer(kind, (server) => printMemory(server, crowd));
  }
  averages.push(readLoadAverage());
  print('load average', averages.join(', '));
}

/** Scrypt only, in a process of its own. */
function measureScrypt(key: string): void {
  const args = [join(folder, 'scrypt.mjs'), String(FLOOR_IN_FLIGHT), String(seconds)];
  const floor = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as Pair;
  floors.set(key, [...(floors.get(key) ?? []), floor]);
}

async function withServer(kind: Kind, use: (server: Server) => Promise<void>): Promise<void> {
  databases += 1;
  const server = await startServer(kind, folder, join(folder, `${databases}.sqlite`));
  try {
    await use(server);
  } finally {
    await stopServer(server);
  }
}

async function measureHashing(server: Server): Promise<void> {
  const { kind, origin } = server;
  const session = await logIn(server);
  let accounts = 0;
  const register = () => {
    accounts += 1;
    return credentials(kind.register, `new${accounts}`);
  };
  measureScrypt(`register ${kind.name}`);
  await measure(server, 'register', HASH_CLIENTS, register, seconds);
  measureScrypt(`login ${kind.name}`);
  await measure(server, 'login', HASH_CLIENTS, () => credentials(kind.login, 'first'), seconds);
  const me = () => ({ method: 'GET', path: kind.me, headers: session }) as const;
  for (const crowd of CROWDS) {
    const clients = new Clients(origin, crowd);
    const logins = clients.run(
      () => credentials(kind.login, 'first'),
      () => false,
    );
    await sleep(CROWD_SECONDS * 1000);
    const part = `me during ${crowd} logins` as const;
    await measure(server, part, ME_CLIENTS, me, seconds);
    await clients.stop();
    const { failures } = await logins;
    if (failures.size > 0) crowdFailures.set(`${part} ${kind.name}`, describe(failures));
  }
}

/** All servers run at the same time and are measured one after another; idle servers use no processor time. */
async function measureMe(): Promise<void> {
  const running: { server: Server; me: () => Call }[] = [];
  const startAll = async ([kind, ...others]: readonly Kind[]): Promise<void> => {
    if (!kind) return askInTurn(running);
    await withServer(kind, async (server) => {
      const call = { method: 'GET', path: kind.me, headers: await logIn(server) } as const;
      running.push({ server, me: () => call });
      await startAll(others);
    });
  };
  await startAll([BARE, SERVICE, ACCOUNT, ...PEERS]);
}

async function askInTurn(
  running: readonly { readonly server: Server; readonly me: () => Call }[],
): Promise<void> {
  try {
    for (const { server, me } of running) {
      holdApart(server, true);
      const warm = new Clients(server.origin, ME_CLIENTS);
      await warm.run(me, after(WARM_SECONDS));
      await warm.stop();
    }
    for (let slice = 0; slice < ME_SLICES; slice += 1) {
      for (const { server, me } of running)
        await measure(server, 'me', ME_CLIENTS, me, ME_SLICE_SECONDS);
    }
  } finally {
    for (const { server } of running) holdApart(server, false);
  }
}

async function measure(
  server: Server,
  part: Part,
  count: number,
  nextCall: () => Call,
  duration: number,
): Promise<void> {
  const clients = new Clients(server.origin, count);
  const before = readCpuSeconds(server.pid);
  const load = await clients.run(nextCall, after(duration));
  const cpuMs = ((readCpuSeconds(server.pid) - before) * 1000) / load.answers;
  await clients.stop();
  const key = `${part} ${server.kind.name}`;
  loads.set(key, [...(loads.get(key) ?? []), { ...load, cpuMs }]);
}

/** Makes an account and logs in to it; also checks that `/me` returns it, and only to its session. */
async function logIn({ kind, origin }: Server): Promise<Record<string, string>> {
  const registered = await askOnce(origin, credentials(kind.register, 'first'));
  const answer = await askOnce(origin, credentials(kind.login, 'first'));
  if (registered.status >= 300 || answer.status !== 200) {
    throw new Error(`"${kind.name}" answers ${registered.text} and ${answer.text}`);
  }
  const headers = kind.session(answer);
  const me = await askOnce(origin, { method: 'GET', path: kind.me, headers });
  const stranger = await askOnce(origin, { method: 'GET', path: kind.me });
  if (!me.text.includes('first@example.com') || stranger.text.includes('first@example.com')) {
    throw new Error(`"${kind.name}" answers ${me.text} and ${stranger.text}`);
  }
  return headers;
}

function printHashing(): void {
  const all = [...floors.values()].flat();
  print(
    `scrypt, ${FLOOR_IN_FLIGHT} in flight`,
    `${Math.max(...all.map(({ perSecond }) => perSecond)).toFixed(2)} hashes/s, ${figure(Math.min(...all.map(({ cpuMs }) => cpuMs)))} ms processor time each`,
  );
  for (const part of ['register', 'login'] as const) {
    for (const kind of ALL) {
      const key = `${part} ${kind.name}`;
      printBeside(part, kind, floors.get(key) ?? [], 'scrypt');
    }
  }
}

function printMe(): void {
  const floor = loads.get(`me ${BARE.name}`) ?? [];
  for (const kind of [BARE, SERVICE, ACCOUNT, ...PEERS]) {
    printBeside('me', kind, floor, 'bare Express');
  }
}

/** Other work affects processor time less than responses per second, but processor time does not include waiting. */
function printBeside(part: Part, kind: Kind, floor: readonly Pair[], floorName: string): void {
  const slices = loads.get(`${part} ${kind.name}`) ?? [];
  const { perSecond, cpu, pairs } = comparePairs(slices, floor);
  const cpuMs = Math.min(...slices.map((slice) => slice.cpuMs));
  const ratio = `${(100 * perSecond).toFixed(0)} % of ${floorName}, ${cpu.toFixed(2)} x its processor time (${pairs} pairs)`;
  printLoad(part, kind, `${cpuMs.toPrecision(3)} ms processor time; ${ratio}`);
}

function printDuring(part: Part): void {
  const floorKind = PEERS[0] ?? BARE;
  const floor = best(part, floorKind).perSecond;
  for (const kind of ALL) {
    const failed = crowdFailures.get(`${part} ${kind.name}`);
    const ratio = `${(best(part, kind).perSecond / floor).toFixed(0)} x ${floorKind.name}`;
    printLoad(part, kind, failed === undefined ? ratio : `${ratio}, logins failed: ${failed}`);
  }
}

/** The given number of clients log in at the same moment, once each. */
async function printMemory(server: Server, crowd: number): Promise<void> {
  const { kind, origin } = server;
  await logIn(server);
  const clients = new Clients(origin, crowd);
  const logins = clients.run(
    () => credentials(kind.login, 'first'),
    () => true,
  );
  await Promise.race([logins, sleep(MEMORY_SECONDS * 1000)]);
  const peakMb = readPeakMb(server);
  await clients.stop();
  const { answers, failures } = await logins;
  const failed = failures.size > 0 ? `, not: ${describe(failures)}` : '';
  print(
    `peak memory, ${crowd} logins, ${kind.name}`,
    `${peakMb.toFixed(0)} MB, ${answers} logged in${failed}`,
  );
}

/** The round with the most responses per second. */
function best(part: Part, kind: Kind): Measured {
  const [first, ...more] = loads.get(`${part} ${kind.name}`) ?? [];
  if (!first) throw new Error(`"${part}" of "${kind.name}" was not measured`);
  return more.reduce((most, load) => (load.perSecond > most.perSecond ? load : most), first);
}

function printLoad(part: Part, kind: Kind, ratio: string): void {
  const { perSecond, p50Ms, failures } = best(part, kind);
  const p99s = (loads.get(`${part} ${kind.name}`) ?? []).map((load) => load.p99Ms);
  const range = [Math.min(...p99s), median(p99s), Math.max(...p99s)].map(figure).join(', ');
  const failed = failures.size > 0 ? `, failed: ${describe(failures)}` : '';
  print(
    `${part}, ${kind.name}`,
    `${figure(perSecond)}/s, p50 ${figure(p50Ms)} ms, p99 ${range} ms, ${ratio}${failed}`,
  );
}
