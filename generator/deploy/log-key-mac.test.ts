import { expect, it } from 'vitest';
import { noteSigner } from '../../format/log/note-key.ts';
import { isMadeBy, macOf } from './log-key-mac.ts';

const signerOf = (name: string, byte: number) =>
  noteSigner(name, 'note', new Uint8Array(32).fill(byte));

it('isMadeBy() requires the key, its name, the purpose and the value', () => {
  const signer = signerOf('a.example/log', 1);
  const mac = macOf('state', { a: 1, b: 2 }, signer);
  const others = [signerOf('a.example/log', 2), signerOf('b.example/log', 1)];
  expect(isMadeBy(mac, 'state', { b: 2, a: 1 }, [...others, signer])).toBe(true);
  expect(isMadeBy(mac, 'state', { a: 1, b: 2 }, others)).toBe(false);
  expect(isMadeBy(mac, 'manifest', { a: 1, b: 2 }, [signer])).toBe(false);
  expect(isMadeBy(mac, 'state', { a: 1 }, [signer])).toBe(false);
  expect(isMadeBy(mac.slice(2), 'state', { a: 1, b: 2 }, [signer])).toBe(false);
  expect(isMadeBy('', 'state', { a: 1, b: 2 }, [signer])).toBe(false);
});
