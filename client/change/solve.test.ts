import { expect, test } from 'vitest';
import { type Facts, headOf } from '../../tests/client/universe.ts';
import { passedOver } from './solve.ts';

const UNUSABLE: Facts = {
  published_at: '2026-01-02T00:00:00.000Z',
  builds: { 'x/none': '*' },
};

async function messages(versions: Readonly<Record<string, Facts>>): Promise<string[]> {
  const head = headOf('x/a', versions);
  const chosen = new Map([['x/a', head.versions.find(({ version }) => version === '1.0.0')!]]);
  const requests = [{ id: 'x/a', range: undefined }];
  const warnings = await passedOver(requests, chosen, new Map([['x/a', head]]), async () => {
    return undefined;
  });
  return warnings.map(({ message }) => message);
}

test('passedOver() names the newest version and the build that it cannot have', async () => {
  expect(await messages({ '1.0.0': {}, '1.1.0': UNUSABLE })).toEqual([
    '"x/a" 1.1.0 was passed over, and 1.0.0 chosen: it requires "x/none" *, which the registry does not have',
  ]);
});

test('passedOver() ignores a version that differs from the chosen one in build metadata only', async () => {
  expect(await messages({ '1.0.0': {}, '1.0.0+b1': UNUSABLE })).toEqual([]);
});
