import { expect, it } from 'vitest';
import { noteSigner } from '../../format/log/note-key.ts';
import { MemoryStore } from '../../tests/deploy/made-index.ts';
import { temporaryFolder } from '../../tests/generate/git-fixture.ts';
import { Inventory } from './inventory.ts';
import { isMadeBy, macOf } from '../log/mac.ts';

const signerOf = (name: string, byte: number) =>
  noteSigner(name, 'note', new Uint8Array(32).fill(byte));

it('isMadeBy() requires the key, its name and the value', () => {
  const signer = signerOf('a.example/log', 1);
  const mac = macOf({ a: 1, b: 2 }, signer);
  const others = [signerOf('a.example/log', 2), signerOf('b.example/log', 1)];
  expect(isMadeBy(mac, { b: 2, a: 1 }, [...others, signer])).toBe(true);
  expect(isMadeBy(mac, { a: 1, b: 2 }, others)).toBe(false);
  expect(isMadeBy(mac, { a: 1 }, [signer])).toBe(false);
  expect(isMadeBy(mac.slice(2), { a: 1, b: 2 }, [signer])).toBe(false);
  expect(isMadeBy('', { a: 1, b: 2 }, [signer])).toBe(false);
});

it('Inventory has what was written last, on every machine, and refuses who has not read it', async () => {
  const store = new MemoryStore();
  const signers = [signerOf('a.example/log', 1)];
  const open = (cache = temporaryFolder()) => new Inventory(store, signers, cache).read();
  const [first, second, cache] = [await open(), await open(), temporaryFolder()];
  const facts = { origin: 'a.example', taken_down: 0 };
  await first.change(
    new Map([
      ['a', '?'],
      ['b', '1'],
    ]),
    facts,
  );
  await expect(second.change(new Map(), facts)).rejects.toMatchObject({ code: 'ERR_DEPLOY_LOST' });
  await expect(second.requireNewest()).rejects.toMatchObject({ code: 'ERR_DEPLOY_LOST' });
  await first.change(new Map([['b', '-']]), { ...facts, taken_down: 1 });
  const third = await open(cache);
  expect([...third.marks]).toEqual([['a', '?']]);
  expect([third.facts, third.isKnown]).toEqual([{ ...facts, taken_down: 1 }, true]);
  // Parts that this machine has are not read again.
  for (const path of store.objects.keys()) if (path.endsWith('.gz')) store.objects.delete(path);
  expect((await open(cache)).isKnown).toBe(true);
  expect((await open()).isKnown).toBe(false);
});

it('Inventory takes no path that leaves the target or is hidden, and nothing of one that is altered', async () => {
  const store = new MemoryStore();
  const open = (signers = [signerOf('a.example/log', 1)]) =>
    new Inventory(store, signers, temporaryFolder()).read();
  const marks = ['../a', 'a/../../b', '/a', '.a', 'a/.b', 'a\nb', 'a b'].map(
    (path) => [path, '1'] as const,
  );
  await (await open()).change(new Map(marks), { taken_down: 3 });
  expect([...(await open()).marks.keys()]).toEqual(['a', 'a b']);
  const path = '.deploy/inventory.json';
  const text = store.objects.get(path)!;
  expect((await open([signerOf('a.example/log', 2)])).facts).toEqual({ taken_down: 0 });
  for (const at of Array.from(text).keys()) {
    const letter = text[at] === '0' ? '1' : '0';
    store.objects.set(path, text.slice(0, at) + letter + text.slice(at + 1));
    expect((await open()).isKnown, text.slice(at)).toBe(false);
  }
});
