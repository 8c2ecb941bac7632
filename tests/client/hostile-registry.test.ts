/** Registries that go back in time, change versions, have another interface, hold no index, or never end. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { integrityOf, sha256Hex } from '../../format/archive/integrity.ts';
import { headPath } from '../../format/index/layout.ts';
import type { Head } from '../../format/index/record.ts';
import { GitFixture, build, temporaryFolder } from '../generate/git-fixture.ts';
import { editHead } from './edit-head.ts';
import {
  makeProject,
  pathOf,
  readProject,
  serveChanged,
  serveRegistry,
  stackyard,
} from './registry-fixture.ts';
import { restate, stateFiles, writeFiles } from './state-files.ts';

/** A registry whose answers a test changes, and a project with `a/x` 1.1.0. */
async function changingRegistry(): Promise<{
  url: string;
  index: string;
  changeHead: (change: (head: Head) => void) => void;
  project: string;
  cache: string;
}> {
  const git = new GitFixture();
  git.commit(build('a/x', '1.0.0', { base: 'src/x' }));
  git.commit(build('a/x', '1.1.0', { base: 'src/x' }));
  git.commit(build('a/y', '1.0.0', { base: 'src/y' }));
  const { index, url } = await serveRegistry(git);
  const [project, cache] = [makeProject(), temporaryFolder()];
  const args = ['add', 'a/x', '-C', project, '--registry', url, '--no-install'];
  const added = await stackyard(args, { STACKYARD_CACHE: cache });
  expect(added.status, added.stderr).toBe(0);
  const changeHead = (change: (head: Head) => void): void => {
    const file = join(index, 'heads/a/x.json');
    writeFileSync(file, editHead(readFileSync(file), change));
    restate(index);
  };
  return { url, index, changeHead, project, cache };
}

function rollBack(head: Head): void {
  head.versions = head.versions.filter(({ version }) => version === '1.0.0');
  head.latest = '1.0.0';
}

function alter(head: Head): void {
  head.versions[0]!.integrity = integrityOf(Buffer.from('evil'));
}

const COMMANDS = [['outdated'], ['update'], ['add', 'a/y', '--no-install']];

async function codeOf(
  args: readonly string[],
  project: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<[string | undefined, number | null, string]> {
  const { stdout, status } = await stackyard([...args, '-C', project, '--json'], variables);
  const { error } = JSON.parse(stdout) as { error?: { code: string; message: string } };
  return [error?.code, status, error?.message ?? stdout];
}

describe('a head without the installed version', () => {
  it('is an error that names it, and changes nothing', async () => {
    const { changeHead, project } = await changingRegistry();
    changeHead(rollBack);
    const before = readProject(project);
    for (const args of COMMANDS) {
      const [code, status, message] = await codeOf(args, project);
      expect([code, status], args.join(' ')).toEqual(['ERR_ROLLBACK', 6]);
      expect(message).toContain('"a/x" 1.1.0, which is installed, is missing');
    }
    const [, status, text] = await codeOf(['doctor'], project);
    expect(status).toBe(10);
    expect(text).toContain('1.1.0, which is installed, is missing');
    expect(readProject(project)).toEqual(before);
  });
});

describe('a head that contradicts the cached one', () => {
  it.each([
    ['misses a version', rollBack, 'ERR_ROLLBACK'],
    ['changes a version', alter, 'ERR_INTEGRITY'],
  ])('and %s stops a new project, until the cache is cleaned', async (_, change, code) => {
    const { url, changeHead, cache } = await changingRegistry();
    changeHead(change);
    const project = makeProject();
    const before = readProject(project);
    const variables = { STACKYARD_REGISTRY: url, STACKYARD_CACHE: cache };
    const args = ['add', 'a/x', '--dry-run'];
    expect((await codeOf(args, project, variables)).slice(0, 2)).toEqual([code, 6]);
    // The refused head must not have replaced the cached one.
    expect((await codeOf(args, project, variables)).slice(0, 2)).toEqual([code, 6]);
    expect(readProject(project)).toEqual(before);
    expect((await stackyard(['cache', 'clean'], variables)).status).toBe(0);
    expect((await codeOf(args, project, variables))[0]).not.toBe('ERR_ROLLBACK');
  });

  it('but only grows is taken', async () => {
    const { url, changeHead, cache } = await changingRegistry();
    changeHead((head) => {
      head.versions.unshift({ ...head.versions[0]!, version: '1.2.0' });
    });
    const variables = { STACKYARD_REGISTRY: url, STACKYARD_CACHE: cache };
    const args = ['add', 'a/x@1.0.0', '--dry-run'];
    expect((await codeOf(args, makeProject(), variables)).slice(0, 2)).toEqual([undefined, 0]);
  });
});

describe('registry.json', () => {
  it('with another interface is refused by every command', async () => {
    const { url, index, project } = await changingRegistry();
    writeFileSync(join(index, 'registry.json'), '{"interface":3}');
    restate(index);
    const before = readProject(project);
    for (const args of [
      ...COMMANDS,
      ['info', 'a/x'],
      ['search', 'x'],
      ['add', '--dry-run', 'a/y'],
    ]) {
      const [code, status, message] = await codeOf(args, project, { STACKYARD_REGISTRY: url });
      expect([code, status], args.join(' ')).toEqual(['ERR_REGISTRY_ANSWER', 7]);
      expect(message).toContain('interface 3');
    }
    const folder = join(temporaryFolder(), 'app');
    const ended = await stackyard(['new', 'a/x', folder, '--registry', url, '--json']);
    expect([ended.status, ended.stdout.includes('interface 3')]).toEqual([7, true]);
    expect(readProject(project)).toEqual(before);
  });
});

it('an index of the interface before is to be generated again', async () => {
  const { url, index, project } = await changingRegistry();
  const file = join(index, 'registry.json');
  writeFileSync(file, readFileSync(file, 'utf8').replace('"interface":2', '"interface":1'));
  writeFileSync(join(index, 'log/checkpoint'), `r/log\n0\n${'A'.repeat(43)}=\n\n`);
  const args = ['-C', project, '--json'];
  const ended = await stackyard(['outdated', ...args], { STACKYARD_REGISTRY: url });
  const { error } = JSON.parse(ended.stdout) as { error: { message: string; hint: string } };
  expect([ended.status, error.message]).toEqual([7, expect.stringContaining('interface 1')]);
  expect(error.hint).toContain('must be generated again');
});

it('heads that require ever more builds end with the chain', async () => {
  const git = new GitFixture();
  git.commit(build('a/x', '1.0.0', { base: 'src/x' }));
  const { index } = await serveRegistry(git);
  const text = readFileSync(join(index, 'heads/a/x.json'), 'utf8');
  const heads: Record<string, string> = {};
  const ids = ['a/x'];
  for (let at = 0; at < 2_100; at += 1) {
    const own = ids[at]!;
    const more = Array.from({ length: 50 }, (_, nth) => {
      return `a/n${sha256Hex(Buffer.from(`${own}-${nth}`)).slice(0, 12)}`;
    });
    ids.push(...more);
    heads[headPath(own)] = editHead(text, (head) => {
      head.id = own;
      head.versions[0]!.builds = Object.fromEntries(more.map((id) => [id, '^1.0.0']));
    });
  }
  const folder = temporaryFolder();
  writeFiles(folder, stateFiles(heads));
  let asked = 0;
  const url = await serveChanged(folder, (request) => {
    if (pathOf(request).startsWith('/documents/')) asked += 1;
    return false;
  });
  const project = makeProject();
  const before = readProject(project);
  const args = ['add', 'a/x', '--no-install'];
  const [code, status, message] = await codeOf(args, project, { STACKYARD_REGISTRY: url });
  expect([code, status]).toEqual(['ERR_RESOLVE_LIMIT', 4]);
  expect(message).toMatch(/more than 2000 builds, by the requirements a\/x > a\/n\w+ > /);
  // And registry.json.
  expect(asked).toBeLessThanOrEqual(2001);
  expect(readProject(project)).toEqual(before);
});

it('a newest version that requires what does not exist is passed over with a warning', async () => {
  const { url, changeHead, project } = await changingRegistry();
  changeHead((head) => {
    const builds = { 'a/none': '^1.0.0' };
    head.versions.unshift({ ...head.versions[0]!, version: '1.2.0', builds });
    head.latest = '1.2.0';
  });
  const end = ' "a/x" 1.1.0 instead of 1.2.0, which needs "a/none" ^1.0.0, and the registry has no';
  for (const [args, folder, verb] of [
    [['add', 'a/x', '--dry-run'], makeProject(), 'Chose'],
    [['update'], project, 'Kept'],
  ] as const) {
    const warning = verb + end;
    const ended = await stackyard([...args, '-C', folder, '--registry', url]);
    expect([ended.status, ended.stderr.includes(warning)], ended.stderr).toEqual([0, true]);
  }
});
