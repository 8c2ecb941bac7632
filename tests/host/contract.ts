/** What every code host has to do: the same steps over the fakes and over a real Gitea. */
import { expect } from 'vitest';
import type { GitHubHost } from '../../generator/host/github-host.ts';

/** A repository with one open pull request, and what others do there. */
export interface World {
  readonly pull: {
    readonly number: number;
    readonly head: string;
    readonly author: { readonly login: string; readonly id: number };
  };
  host(): GitHubHost;
  comments(): Promise<string[]>;
  commentAsStranger(body: string): Promise<void>;
  closeAs(who: 'author' | 'stranger'): Promise<void>;
  openIssues(): Promise<string[]>;
}

const MARKER = '<!-- stackyard-gate -->';

/** Each step is named where it fails. */
export const CONTRACT: Readonly<Record<string, (world: World) => Promise<void>>> = {
  'reads a pull request': async (world) => {
    const { number, head, author } = world.pull;
    const pull = await world.host().pull(number);
    const about = { number, isOpen: true, isDraft: false, head, base: 'main' };
    expect(pull).toMatchObject({ ...about, author });
    expect(await world.host().pullsOf(head)).toEqual([number]);
    expect(
      await world
        .host()
        .pullsOf('b'.repeat(40))
        .catch(() => []),
    ).toEqual([]);
  },
  'writes one comment, and leaves those of others': async (world) => {
    const { number } = world.pull;
    await world.commentAsStranger(`${MARKER}\nMerged!`);
    for (const text of ['one', 'one', 'two']) await world.host().comment(number, MARKER, text);
    const own = (await world.comments()).filter((body) => body.startsWith(MARKER));
    expect(own).toEqual([`${MARKER}\nMerged!`, `${MARKER}\ntwo`]);
  },
  'sets labels, creates those that are missing, and replaces by prefix': async (world) => {
    const { number } = world.pull;
    const host = world.host();
    await host.label(number, ['gate: review', 'version: bob/web@1.0.0', 'version: bob/web@1.1.0']);
    await host.label(number, ['gate: waiting'], 'gate: ');
    const { labels } = await host.issue(number);
    expect([...labels].sort()).toEqual([
      'gate: waiting',
      'version: bob/web@1.0.0',
      'version: bob/web@1.1.0',
    ]);
    const [found, ...others] = await host.pullsWith('version: bob/web@1.1.0', 'all');
    expect([found?.number, others]).toEqual([world.pull.number, []]);
    expect(await host.pullsWith('version: nobody/has@1.0.0', 'open')).toEqual([]);
  },
  'creates the labels of a registry once': async (world) => {
    const labels = ['report', 'flag'].map((name) => ({ name, color: '0e8a16', description: 'x' }));
    expect(await world.host().createLabels(labels)).toEqual(['report', 'flag']);
    expect(await world.host().createLabels(labels)).toEqual([]);
  },
  'keeps the newest status in each context, and begins its time with a new text': async (world) => {
    const host = world.host();
    const { head } = world.pull;
    const set = (context: string, state: 'pending' | 'success' | 'failure', description: string) =>
      host.setStatus(head, context, { state, description });
    expect(await host.statuses(head)).toEqual([]);
    for (const at of ['1', '2', '3']) await set(`stackyard/gate/${at}`, 'pending', 'first');
    const before = await host.statuses(head);
    expect(before).toHaveLength(3);
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    await set('stackyard/gate/1', 'pending', 'second');
    const after = (await host.statuses(head)).find(({ context }) => context.endsWith('/1'));
    const first = before.find(({ context }) => context.endsWith('/1'));
    expect(after).toMatchObject({ state: 'pending', description: 'second' });
    expect(after!.time).toBeGreaterThan(first!.time);
    for (const state of ['failure', 'success'] as const) {
      await set('stackyard/gate/1', state, state);
      const now = (await host.statuses(head)).find(({ context }) => context.endsWith('/1'));
      expect(now).toMatchObject({ state, description: state });
    }
  },
  'reads the newest commit of a branch': async (world) => {
    const { sha, time } = await world.host().newestCommit('main');
    expect([sha.length, Number.isNaN(time)]).toEqual([40, false]);
  },
  'raises an alarm once': async (world) => {
    for (const title of ['Stale', 'Stale again']) {
      await world.host().alarm('stale index', title, 'See there.');
    }
    expect(await world.openIssues()).toEqual(['Stale']);
  },
  'shows who closed a pull request': async (world) => {
    const { number } = world.pull;
    const open = await world.host().issue(number);
    expect(open).toMatchObject({ isOpen: true, author: world.pull.author.id, closedBy: undefined });
    await world.closeAs('stranger');
    const closed = await world.host().issue(number);
    expect(closed.isOpen).toBe(false);
    expect([typeof closed.closedBy, closed.closedBy === world.pull.author.id]).toEqual([
      'number',
      false,
    ]);
  },
};
