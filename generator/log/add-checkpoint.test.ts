import { expect, test } from 'vitest';
import { formatAddCheckpoint } from './add-checkpoint.ts';

test('formatAddCheckpoint() writes the example of the specification', () => {
  const proof = [
    'PlRNCrwHpqhGrupue0L7gxbjbMiKA9temvuZZDDpkaw=',
    'jrJZDmY8Y7SyJE0MWLpLozkIVMSMZcD5kvuKxPC3swk=',
  ];
  const note =
    'example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n— x y\n';
  const hashes = proof.map((text) => Uint8Array.from(Buffer.from(text, 'base64')));
  expect(formatAddCheckpoint({ oldSize: 20_852_014, proof: hashes, note })).toBe(
    `old 20852014\n${proof.join('\n')}\n\n${note}`,
  );
});
