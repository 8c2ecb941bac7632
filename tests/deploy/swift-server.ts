/** OpenStack Swift with its interface of S3: one proxy and one server of each kind, with one copy of everything. */
import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../../tools/free-port.ts';
import { answers, stopped } from './s3-server.ts';
import type { S3Server } from './s3-server.ts';

const KINDS = ['account', 'container', 'object'] as const;
const ENV = { AWS_ACCESS_KEY_ID: 'test:tester', AWS_SECRET_ACCESS_KEY: 'testing' };

/** Starts it on free ports. It checks signatures, and obeys no conditions of writes. */
export async function startSwift(): Promise<S3Server> {
  const folder = mkdtempSync(join(tmpdir(), 'stackyard-swift-'));
  mkdirSync(join(folder, 'node/d1'), { recursive: true });
  const children: ChildProcess[] = [];
  const run = (program: string, ...args: string[]): void => {
    children.push(spawn(program, args, { cwd: folder, stdio: 'ignore' }));
  };
  for (const kind of KINDS) {
    const port = await findFreePort();
    makeRing(folder, kind, port);
    writeFileSync(join(folder, `${kind}.conf`), serverConfig(folder, kind, port));
    run(`swift-${kind}-server`, join(folder, `${kind}.conf`));
  }
  const [cache, port] = [await findFreePort(), await findFreePort()];
  writeFileSync(join(folder, 'proxy.conf'), proxyConfig(folder, port, cache));
  run('memcached', '-u', userInfo().username, '-p', String(cache), '-l', '127.0.0.1');
  run('swift-proxy-server', join(folder, 'proxy.conf'));
  const endpoint = `http://127.0.0.1:${port}`;
  await answers(endpoint, children.at(-1)!);
  const stop = async (): Promise<void> => {
    for (const child of children) await stopped(child);
    rmSync(folder, { recursive: true, force: true });
  };
  return { endpoint, env: ENV, stop };
}

function makeRing(folder: string, kind: string, port: number): void {
  const ring = (...args: string[]): void => {
    execFileSync('swift-ring-builder', [`${kind}.builder`, ...args], {
      cwd: folder,
      stdio: 'ignore',
    });
  };
  ring('create', '4', '1', '0');
  ring('add', `r1z1-127.0.0.1:${port}/d1`, '1');
  ring('rebalance');
}

function head(folder: string, port: number): string {
  return `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
user = ${userInfo().username}
swift_dir = ${folder}
workers = 0
log_level = ERROR
`;
}

function serverConfig(folder: string, kind: string, port: number): string {
  return `${head(folder, port)}devices = ${folder}/node
mount_check = false
disable_fallocate = true
[pipeline:main]
pipeline = ${kind}-server
[app:${kind}-server]
use = egg:swift#${kind}
`;
}

function proxyConfig(folder: string, port: number, cache: number): string {
  return `${head(folder, port)}
[pipeline:main]
pipeline = catch_errors cache s3api tempauth slo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:${cache}
[filter:s3api]
use = egg:swift#s3api
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
[filter:slo]
use = egg:swift#slo
`;
}
