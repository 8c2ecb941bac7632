/** The code hosts behind one interface: what each must do, and what happens with bad answers. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CODE_HOSTS } from '../../format/registry/registry-config.ts';
import { HostError } from '../../generator/host/host-requests.ts';
import { temporaryFolder } from '../generate/git-fixture.ts';
import { CONTRACT } from '../host/contract.ts';
import { FakeHost, TOKEN } from '../host/fake-host.ts';

const KINDS = CODE_HOSTS.filter((kind) => kind !== 'forgejo');

it('Gitea: what the token of a run for a fork may not see is read from the event of the run', async () => {
  const fake = await FakeHost.start('gitea');
  const file = join(temporaryFolder(), 'event.json');
  const { head, author } = fake.pull;
  const row = { number: 1, state: 'open', user: author, head: { sha: head }, labels: null };
  const event = { action: 'opened', pull_request: { ...row, base: { ref: 'main' } } };
  writeFileSync(file, JSON.stringify(event));
  const host = fake.host(TOKEN, { GITHUB_EVENT_PATH: file });
  for (const status of [404, 404, 403]) fake.faults.push({ status });
  expect(await host.pull(1)).toMatchObject({ head, author, base: 'main', isOpen: true });
  await expect(host.pull(2)).rejects.toThrow(/404/);
  await expect(host.pull(1)).rejects.toThrow(/403/);
});

describe.each(KINDS)('%s', (kind) => {
  it.each(Object.keys(CONTRACT))('%s', async (name) => {
    const fake = await FakeHost.start(kind);
    await expect(CONTRACT[name]!(fake)).resolves.toBeUndefined();
  });

  it('starts a workflow with its inputs', async () => {
    const fake = await FakeHost.start(kind);
    await fake.host().dispatch('publish', 'main', { pull: '1' });
    expect(fake.started).toEqual([{ workflow: 'publish', inputs: { pull: '1' } }]);
  });

  it('asks a busy host again, as late as it states, and counts what it asked', async () => {
    const fake = await FakeHost.start(kind);
    fake.faults.push(
      { status: 429, headers: { 'retry-after': '0' } },
      { status: 503 },
      { status: 502, body: { message: 'Bad Gateway' } },
      { status: 200, body: { number: 1, labels: [] }, isCut: true },
    );
    const host = fake.host();
    expect((await host.pull(1)).head).toBe(fake.pull.head);
    expect([host.calls, fake.asked.length]).toEqual([5, 5]);
  });

  it.each([
    [401, {}, 'the token is wrong or has expired'],
    [403, {}, 'the token may not do that'],
    [404, {}, 'there is no such thing, or the token may not see it'],
    [500, {}, 'its own text follows'],
    [429, { 'retry-after': '3600' }, 'it asks to wait 3600 seconds'],
    [403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '99999999999' }, 'it asks to wait'],
  ])('names what %s with %j means, without the token', async (status, headers, text) => {
    const fake = await FakeHost.start(kind);
    const answer = { status, headers, body: { message: `No: ${TOKEN}` } };
    fake.faults.push(...Array.from({ length: 9 }, () => answer));
    const error: unknown = await fake
      .host()
      .pull(1)
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(HostError);
    expect((error as HostError).status).toBe(status);
    expect((error as HostError).message).toContain(` was answered with ${status}: ${text}`);
    expect((error as HostError).message).toContain('No: ***');
    expect(fake.asked).toHaveLength(status === 500 ? 5 : 1);
  });

  it('refuses wrong credentials, and prints none', async () => {
    const fake = await FakeHost.start(kind);
    const error: unknown = await fake
      .host('wrong-token')
      .pull(1)
      .catch((caught: unknown) => caught);
    expect(String(error)).toContain('401');
    expect(String(error)).not.toContain('wrong-token');
  });

  it('sends what would be there twice once only', async () => {
    const fake = await FakeHost.start(kind);
    const path = '/issues/1/comments';
    fake.faults.push({ status: 200, body: [] }, { status: 502 });
    await expect(fake.host().comment(1, '<!-- x -->', 'text')).rejects.toThrow('502');
    expect(fake.asked).toEqual([`GET ${path}`, `POST ${path}`]);
  });
});

it('Gitea receives a merge by push, and closes where it takes none', async () => {
  const fake = await FakeHost.start('gitea');
  await fake.host().landed(1, 'c'.repeat(40));
  expect(fake.asked).toEqual(['GET /pulls/1', 'POST /pulls/1/merge', 'PATCH /issues/1']);
  expect((await fake.host().pull(1)).isOpen).toBe(false);
  await fake.host().landed(1, 'c'.repeat(40));
  expect(fake.asked.slice(4)).toEqual(['GET /pulls/1']);
});

describe('the event of an issue', () => {
  const body = '### Build\n\na/b\n';

  it('is that of GitHub and of Gitea, whose times may have an offset', async () => {
    for (const kind of ['github', 'gitea'] as const) {
      const issue = {
        number: 3,
        state: 'open',
        title: 'Report',
        body,
        user: { id: 7 },
        labels: null,
        updated_at: '2026-01-02T05:04:05+02:00',
        pull_request: null,
      };
      const bytes = Buffer.from(JSON.stringify({ action: 'edited', issue, sender: { id: 8 } }));
      expect((await FakeHost.start(kind)).host().issueEvent(bytes)).toEqual({
        number: 3,
        isOpen: true,
        isPull: false,
        isEdit: true,
        title: 'Report',
        body,
        labels: [],
        author: 7,
        sender: 8,
        at: '2026-01-02T03:04:05Z',
      });
    }
  });
});
