import { describe, expect, it } from 'vitest';
import { parseWiring } from '../format/wiring/wiring.ts';
import type { BuildWiring, WiredBuild } from '../client/wire/wire-build.ts';
import { wireBuild } from '../client/wire/wire-build.ts';
import { WIRING_CASES, buildOf } from './wiring-case.ts';

const PROJECT = WIRING_CASES.find(({ name }) => name === 'express-one-file')!;

type Files = Map<string, string>;

function guide(insert: string, extra = ''): string {
  return `## Steps

1. File:

   ~~~ts wire file src/account.wire.ts
   export const options = {
     prefix: '/auth',
     log: true,
   };
   ${extra}
   ~~~

2. Mount:

   ~~~ts wire import @express
   import { options } from './account.wire.js';
   ~~~

   ~~~ts wire insert @express routes
${insert.replaceAll(/^/gm, '   ')}
   ~~~
`;
}

function wire(
  files: ReadonlyMap<string, string>,
  text: string,
  previous: WiredBuild['locked'] = [],
  more: Partial<BuildWiring> = {},
): WiredBuild & { files: Files } {
  const { steps, findings } = parseWiring(text);
  expect(findings).toEqual([]);
  const { build, texts } = buildOf('express', files, { steps });
  const { entries, locked, conflicts } = wireBuild({ ...build, previous, ...more }, texts);
  const all = new Map(files);
  for (const [path, content] of texts.changes()) {
    if (content === undefined) all.delete(path);
    else all.set(path, content);
  }
  return { entries, locked, conflicts, files: all };
}

function edit(files: Files, path: string, from: string, to: string): Files {
  const text = files.get(path)!;
  expect(text).toContain(from);
  return new Map(files).set(path, text.replace(from, to));
}

/** With a second application, so that the place of the routes is not clear. */
function withTwo(files: Files): Files {
  const one = 'const app = express();';
  return edit(files, 'src/app.ts', one, `${one}\nconst other = express();`);
}

const OLD = guide('app.use(options.prefix, one());');
const NEW = guide('app.use(options.prefix, two());\ntwo();', 'export const more = 1;');

describe('the update of wired text', () => {
  const first = wire(PROJECT.files, OLD);

  it('replaces what is as it was put in', () => {
    const second = wire(first.files, NEW, first.locked);
    expect(second.entries.map(({ action }) => action)).toEqual(['replaced', 'kept', 'replaced']);
    expect(second.files).toEqual(wire(PROJECT.files, NEW).files);
    expect(wire(second.files, OLD, second.locked).files).toEqual(first.files);
  });

  it('merges with edits in the region of the text', () => {
    const edited = edit(first.files, 'src/account.wire.ts', 'log: true', 'log: false');
    const second = wire(edited, NEW, first.locked);
    expect(second.conflicts).toEqual([]);
    const file = second.files.get('src/account.wire.ts');
    expect(file).toContain('log: false');
    expect(file).toContain('more = 1');
  });

  it('merges inside of a block of several lines', () => {
    const block = (limit: number): string =>
      `const account = create({\n  limit: ${limit},\n  log: true,\n  name: 'a',\n});`;
    const one = wire(PROJECT.files, guide(block(1)));
    const edited = edit(one.files, 'src/app.ts', "name: 'a'", "name: 'mine'");
    const second = wire(edited, guide(block(2)), one.locked);
    expect(second.conflicts).toEqual([]);
    expect(second.files.get('src/app.ts')).toContain("  limit: 2,\n  log: true,\n  name: 'mine',");
  });

  it('is a conflict where both changed the same line', () => {
    const edited = edit(first.files, 'src/app.ts', 'one()', 'mine()');
    const second = wire(edited, NEW, first.locked);
    expect(second.conflicts).toMatchObject([
      { step: 2, file: 'src/app.ts', why: 'you and the new version changed it' },
    ]);
    expect(second.conflicts[0]!.text).toMatch(/^2\. Mount:/);
    const ours = wire(edited, NEW, first.locked, { onConflict: 'ours' });
    expect(ours.conflicts).toEqual([]);
    expect(ours.files.get('src/app.ts')).toBe(edited.get('src/app.ts'));
  });

  it('leaves an edited text that the new version has not changed', () => {
    const edited = edit(first.files, 'src/app.ts', 'one()', 'mine()');
    const second = wire(edited, OLD, first.locked);
    expect(second.files).toEqual(edited);
    expect(second.locked).toEqual(first.locked);
  });

  it('takes out what the new version does not have, and names what was edited', () => {
    const less = NEW.slice(0, NEW.indexOf('2. Mount'));
    const second = wire(first.files, less, first.locked);
    expect(second.files.get('src/app.ts')).toBe(PROJECT.files.get('src/app.ts'));
    const edited = edit(first.files, 'src/app.ts', 'one()', 'mine()');
    const left = wire(edited, less, first.locked);
    expect(left.entries.find(({ action }) => action === 'left')).toMatchObject({
      step: 2,
      file: 'src/app.ts',
    });
    expect(left.files.get('src/app.ts')).toContain('mine()');
  });

  it('is a conflict where the place is not clear any more and the block changed', () => {
    const two = withTwo(first.files);
    expect(wire(two, NEW, first.locked).conflicts).toMatchObject([
      { step: 2, why: 'its place is not clear any more' },
    ]);
    expect(wire(two, OLD, first.locked).conflicts).toEqual([]);
  });
});

describe('wiring again', () => {
  const first = wire(PROJECT.files, OLD);
  const again = (files: Files): ReturnType<typeof wire> =>
    wire(files, OLD, first.locked, { isRepeated: true });

  it('leaves an edited file, and what mounts it', () => {
    const edited = edit(first.files, 'src/account.wire.ts', 'log: true', 'log: false');
    const second = again(edited);
    expect(second.entries.map(({ action }) => action)).toEqual(['kept', 'kept', 'kept']);
    expect(second.files).toEqual(edited);
    expect(second.locked).toEqual(first.locked);
  });

  it('does not mount again what the user mounts in another way', () => {
    const edited = edit(first.files, 'src/app.ts', 'one()', 'mine()');
    const second = again(edited);
    expect(second.files).toEqual(edited);
    expect(second.locked).toEqual(first.locked);
  });

  it('puts in what is missing', () => {
    const less = edit(first.files, 'src/app.ts', 'app.use(options.prefix, one());\n', '');
    less.delete('src/account.wire.ts');
    expect(again(less).files).toEqual(first.files);
  });

  it('takes nothing out where a step has no place any more', () => {
    const two = withTwo(first.files);
    const without = edit(two, 'src/app.ts', 'app.use(options.prefix, one());\n', '');
    const second = again(without);
    expect(second.entries.find(({ step }) => step === 2)).toMatchObject({ action: 'by_hand' });
    expect(second.files).toEqual(without);
    expect(second.locked).toEqual(first.locked);
  });
});

describe('moved builds', () => {
  it('are imported from where they are', () => {
    const { build, texts } = buildOf('express', PROJECT.files, { place: 'lib/auth' });
    wireBuild(build, texts);
    expect(texts.get('src/account.wire.ts')).toContain("from '../lib/auth/index.js'");
    expect(texts.get('src/app.ts')).toContain("from './account.wire.js'");
  });
});

describe('large files', () => {
  it('are left to the user', () => {
    const large = `${PROJECT.files.get('src/app.ts')}\n// ${'x'.repeat(2_000_000)}\n`;
    const { entries } = wire(new Map(PROJECT.files).set('src/app.ts', large), OLD);
    expect(entries.find(({ step }) => step === 2)).toMatchObject({
      action: 'by_hand',
      why: 'it is too large to be read',
    });
  });
});
