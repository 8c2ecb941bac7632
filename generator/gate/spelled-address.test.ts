/** An update that sends the environment to any spelling of an address waits for an admin, whatever the version before could do. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { GitFixture, type Files } from '../../tests/generate/git-fixture.ts';
import { GateFixture, REGISTRY, build } from '../../tests/publish/gate-fixture.ts';
import { isDeep } from '../../tests/run/runs.ts';
import {
  SENDERS,
  SENDING_LINES,
  SENDING_REDIRECTS,
  SPELLINGS,
  hostOf,
} from '../../tests/spelled-addresses.ts';

const BEFORE = { 'src/any.ts': 'export const get = (to: string) => fetch(to);\n' };
/** `toldOf`: what the gate must tell of it. */
const CALLERS = [
  ...Object.entries(SENDERS).map(([name, [path, codeOf]]) => {
    return { name, path, codeOf: (text: string) => codeOf(JSON.stringify(text)), toldOf: hostOf };
  }),
  ...[...SENDING_LINES, ...SENDING_REDIRECTS].map((name) => {
    const isHost = name.includes('/TO/');
    const to = (text: string): string => (isHost ? hostOf(text).replaceAll(/[[\]]/g, '') : text);
    const codeOf = (text: string): string => `${name.replace('TO', () => to(text))}\n`;
    return { name, path: 'a.sh', codeOf, toldOf: () => name.split('TO')[0]! };
  }),
];
const folder = mkdtempSync(join(tmpdir(), 'stackyard-gate-'));
const idOf = (at: number): string => `alice/sender-${at}`;
const published = SPELLINGS.map((_, at) => build(idOf(at), '1.0.0', {}, BEFORE));
const gate = new GateFixture(
  Object.assign({}, REGISTRY, ...published) as Files,
  new GitFixture(folder),
);
afterAll(() => rmSync(folder, { recursive: true }));

it.each(CALLERS)('judgePullRequest() merges no update with $name', async (caller) => {
  const turn = CALLERS.indexOf(caller);
  // Each spelling with one caller, or with all.
  const tried = [...SPELLINGS.entries()].filter(([at]) => isDeep() || at % CALLERS.length === turn);
  const updates = tried.map(([at, text]) => {
    const code = { [`src/${caller.path}`]: caller.codeOf(text) };
    return build(idOf(at), '1.1.0', {}, { ...BEFORE, ...code });
  });
  const { verdict, reasons, builds } = await gate.propose(Object.assign({}, ...updates) as Files);
  expect(verdict).not.toBe('merge');
  const silent = tried.filter(([at, text]) => {
    const own = reasons.filter(({ file }) => `${file}/`.startsWith(`builds/${idOf(at)}/`));
    const found = builds.find(({ id }) => id === idOf(at))?.findings ?? [];
    const told = [...own, ...found].map(({ message }) => message);
    return own.length === 0 || !told.some((one) => one.includes(caller.toldOf(text)));
  });
  expect(silent).toEqual([]);
});
