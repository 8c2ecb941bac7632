/** Credentials for private registries from each source: real servers, git, a netrc file, and helpers that misbehave. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Credentials } from '../../../client/registry/credentials.ts';
import { temporaryFolder } from '../../generate/git-fixture.ts';
import { json, open, plainHead, serve, type Headers, written } from './network-fixture.ts';

const HEAD_PATH = '/heads/a/x.json';
const [USER, SECRET, NEWER] = ['alice', 's3cr3t-t0k3n', 's3cr3t-newer'];

/** Of this user, without anything that the machine has. */
let home: string;
let env: NodeJS.ProcessEnv;
beforeEach(() => {
  home = temporaryFolder();
  mkdirSync(join(home, 'bin'));
  const path = `${join(home, 'bin')}:${process.env['PATH']}`;
  vi.stubEnv('HOME', home);
  vi.stubEnv('PATH', path);
  env = { HOME: home, PATH: path, GIT_CONFIG_NOSYSTEM: '1' };
});

type Accept = (authorization: string | undefined) => boolean;

/** A registry that answers 401 until it gets what it wants. */
async function privateRegistry(
  isAccepted: Accept,
  wanted = 'Basic realm="builds"',
): Promise<{ url: string; sent: () => (string | undefined)[] }> {
  const guarded = (response: ServerResponse, headers: Headers): void => {
    if (isAccepted(headers['authorization'] as string | undefined)) json(written())(response);
    else response.writeHead(401, wanted === '' ? {} : { 'WWW-Authenticate': wanted }).end();
  };
  const server = await serve({ [HEAD_PATH]: guarded });
  return { url: server.url, sent: () => server.headers.map((h) => h['authorization'] as string) };
}

const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

function git(...args: string[]): string {
  return execFileSync('git', args, { env, encoding: 'utf8' });
}

/** A program of the user's PATH, in a shell. */
function program(name: string, script: string): string {
  const file = join(home, 'bin', name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}

function secretFile(name: string, text: string, mode = 0o600): void {
  writeFileSync(join(home, name), text, { mode });
}

const read = (url: string, credentials = new Credentials(env)): Promise<unknown> =>
  plainHead(open(url, { credentials }));

const refusal = (
  url: string,
  credentials = new Credentials(env),
): Promise<Error & { hint: string }> =>
  read(url, credentials).then(
    () => Promise.reject(new Error('it was read')),
    (error: Error & { hint: string }) => error,
  );

describe('each source', () => {
  const host = (url: string): string => new URL(url).host;
  const sources: [string, (url: string) => void][] = [
    [
      'netrc',
      (url) => {
        secretFile('.netrc', `machine ${host(url)}\n  login ${USER}\n  password ${SECRET}\n`);
      },
    ],
    [
      'git credential',
      (url) => {
        secretFile('.git-credentials', `http://${USER}:${SECRET}@${host(url)}\n`);
        git('config', '--global', 'credential.helper', 'store');
      },
    ],
  ];

  it.each(sources)('%s gives a password to a host that wants one', async (_, give) => {
    const server = await privateRegistry((sent) => sent === basic(USER, SECRET));
    give(server.url);
    expect(await read(server.url)).toMatchObject({ id: 'a/x' });
    expect(server.sent().filter((one) => one !== undefined)).not.toEqual([]);
  });

  it.each(sources)('%s gives a token to a host that wants one', async (_, give) => {
    const wanted = 'Bearer realm="builds"';
    const server = await privateRegistry((sent) => sent === `Bearer ${SECRET}`, wanted);
    give(server.url);
    expect(await read(server.url)).toMatchObject({ id: 'a/x' });
  });

  it.each(sources)('%s, of all that can be printed, has no secret', async (_, give) => {
    const server = await privateRegistry(() => false);
    give(server.url);
    const credentials = new Credentials(env);
    const error = await refusal(server.url, credentials);
    const shown = inspect([error, credentials], { depth: 9, showHidden: true });
    expect(`${shown}${error.stack}${JSON.stringify([error, credentials])}`).not.toMatch(
      new RegExp(`${SECRET}|${Buffer.from(`${USER}:${SECRET}`).toString('base64')}`),
    );
    expect(error.hint).toContain(`${_}: what it gave is not accepted`);
  });

  it('get requests in their order, once, and the accepted one serves all requests', async () => {
    const server = await privateRegistry((sent) => sent === basic(USER, SECRET));
    for (const [, give] of sources) give(server.url);
    secretFile('.netrc', `machine ${host(server.url)} login ${USER} password wrong`);
    const registry = open(server.url, { credentials: new Credentials(env) });
    await Promise.all([plainHead(registry), registry.knownInfo().catch(() => {})]);
    await registry.indexFile('owners/a.json');
    const sent = server.sent().filter((one) => one !== undefined);
    expect([...new Set(sent)]).toEqual([basic(USER, 'wrong'), basic(USER, SECRET)]);
    expect(server.sent().at(-1)).toBe(basic(USER, SECRET));
  });

  it('is named in the error with what came of it, and the page of the registry; .npmrc is not read', async () => {
    const auth = { scheme: 'bearer', help: 'https://corp.example/token' };
    const server = await serve({
      '/registry.json': json({ auth }),
      [HEAD_PATH]: (response) => void response.writeHead(401).end(),
    });
    secretFile('.netrc', 'machine other.example login a password b', 0o644);
    secretFile('.npmrc', `//${host(server.url)}/:_authToken=${SECRET}\n`);
    expect(await refusal(server.url)).toMatchObject({
      code: 'ERR_REGISTRY_ANSWER',
      message: `Cannot read ${server.url}${HEAD_PATH}: the registry answers with status 401`,
      hint: `set STACKYARD_HEADERS to "${server.url} Authorization: Bearer ..." with your token, or put "machine ${host(server.url)}" with login and password into ~/.netrc, or give git a credential for it ("git credential approve"); how to get one: https://corp.example/token (asked: STACKYARD_HEADERS: nothing for it; netrc: others may read it (chmod 600); git credential: nothing for it)`,
    });
    expect(server.headers.every((sent) => sent['authorization'] === undefined)).toBe(true);
  });

  it('sends as registry.json states where the answer does not name a scheme', async () => {
    const isToken: Accept = (sent) => sent === `Bearer ${SECRET}`;
    const server = await serve({
      '/registry.json': json({ auth: { scheme: 'bearer' } }),
      [HEAD_PATH]: (response, headers) => {
        if (isToken(headers['authorization'] as string)) json(written())(response);
        else response.writeHead(403).end();
      },
    });
    secretFile('.netrc', `machine ${host(server.url)} login ${USER} password ${SECRET}`);
    expect(await read(server.url)).toMatchObject({ id: 'a/x' });
  });
});

describe('a credential', () => {
  it('is never sent to another origin, also not where the registry redirects', async () => {
    const other = await serve({ [HEAD_PATH]: json(written()) });
    const server = await serve({
      [HEAD_PATH]: (response, headers) => {
        if (headers['authorization'] === undefined) response.writeHead(401).end();
        else response.writeHead(302, { Location: `${other.url}${HEAD_PATH}` }).end();
      },
    });
    secretFile('.netrc', `machine ${new URL(server.url).host} password ${SECRET}`);
    const credentials = new Credentials(env);
    await expect(read(server.url, credentials)).rejects.toThrow('it redirects to');
    expect(await read(other.url, credentials)).toMatchObject({ id: 'a/x' });
    expect(other.headers.map((h) => h['authorization'])).toEqual([undefined]);
  });

  it.each([
    ['machine 127.0.0.1 password %', 'another port'],
    ['default login a password %', 'every host'],
    ['machine example.org password %\nmacdef init\nmachine HOST password %\n\n', 'a macro'],
  ])('of %j in netrc is not used for a registry on its own port', async (text) => {
    const server = await privateRegistry(() => true);
    const guarded = await privateRegistry((sent) => sent !== undefined);
    const { host } = new URL(guarded.url);
    secretFile('.netrc', text.replaceAll('%', SECRET).replaceAll('HOST', host));
    await refusal(guarded.url);
    expect(guarded.sent().every((one) => one === undefined)).toBe(true);
    expect(await read(server.url)).toMatchObject({ id: 'a/x' });
  });

  it('that git states for another host is not sent', async () => {
    const server = await privateRegistry((sent) => sent !== undefined);
    program('git', `echo host=evil.example; echo password=${SECRET}`);
    const { hint } = await refusal(server.url);
    expect(hint).toContain('git credential: its answer is for another address');
  });

  it('that expires during a run is erased, and the helper gives a newer one', async () => {
    let valid = SECRET;
    const server = await privateRegistry((sent) => sent === basic(USER, valid));
    program(
      'vault',
      `cat > ${home}/input; echo "$1 $(grep password ${home}/input)" >> ${home}/log
[ "$1" = get ] && { echo username=${USER}; [ -e ${home}/renewed ] && echo password=${NEWER} || echo password=${SECRET}; }
[ "$1" = erase ] && touch ${home}/renewed
exit 0`,
    );
    git('config', '--global', 'credential.helper', join(home, 'bin/vault'));
    const credentials = new Credentials(env);
    expect(await read(server.url, credentials)).toMatchObject({ id: 'a/x' });
    valid = NEWER;
    expect(await read(server.url, credentials)).toMatchObject({ id: 'a/x' });
    expect(readFileSync(join(home, 'log'), 'utf8').split('\n')).toEqual([
      'get ',
      `store password=${SECRET}`,
      `erase password=${SECRET}`,
      'get ',
      `store password=${NEWER}`,
      '',
    ]);
  });

  it('that a registry refuses is rejected in git, and one that it accepts stays', async () => {
    const server = await privateRegistry((sent) => sent === basic(USER, SECRET));
    const line = (password: string): string =>
      `http://${USER}:${password}@${encodeURIComponent(new URL(server.url).host)}\n`.replace(
        '%3A',
        '%3a',
      );
    git('config', '--global', 'credential.helper', 'store');
    secretFile('.git-credentials', line('wrong').replace('%3a', ':'));
    await refusal(server.url);
    expect(readFileSync(join(home, '.git-credentials'), 'utf8')).toBe('');
    secretFile('.git-credentials', line(SECRET).replace('%3a', ':'));
    expect(await read(server.url)).toMatchObject({ id: 'a/x' });
    expect(readFileSync(join(home, '.git-credentials'), 'utf8')).toContain(SECRET);
  });
});

describe('a helper of git', () => {
  it.each([
    ['that hangs', 'sleep 600 & sleep 600', 'no answer in 1 seconds'],
    ['that prints without end', 'yes password', 'its answer is too long'],
    ['that gives a line break', "printf 'password=\\r\\n'", 'nothing for it'],
    ['that gives no password', 'echo username=a', 'nothing for it'],
  ])('%s ends in an error', async (_, script, problem) => {
    const server = await privateRegistry((sent) => sent === `Bearer ${SECRET}`, 'Bearer');
    program('git', script);
    const { hint } = await refusal(server.url, new Credentials(env, undefined, 1000));
    expect(hint).toMatch(new RegExp(`git credential: (?:${problem}|it has nothing)`));
  });

  it('gets what the registry wants, runs in the home, and may give a scheme of its own', async () => {
    const server = await privateRegistry((sent) => sent === `Custom ${SECRET}`);
    const answer = `echo capability[]=authtype; echo authtype=Custom; echo credential=${SECRET}`;
    program('git', `pwd > ${home}/folder; cat > ${home}/asked; ${answer}`);
    env['GIT_DIR'] = '/nowhere';
    expect(await read(server.url)).toMatchObject({ id: 'a/x' });
    expect(readFileSync(join(home, 'folder'), 'utf8').trim()).toBe(home);
    const lines = readFileSync(join(home, 'asked'), 'utf8').split('\n');
    expect(lines.slice(0, 3)).toEqual([
      'capability[]=authtype',
      'protocol=http',
      `host=${new URL(server.url).host}`,
    ]);
  });
});
