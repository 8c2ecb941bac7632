// What needs no client: the store runs with a generated one in tests/auth/account-prisma.test.ts.

import { expect, test } from 'vitest';
import { accountModule } from './index.js';

test('accountModule says what is missing where no client was handed over', async () => {
  await expect(accountModule.accounts()).rejects.toThrow('call useAccountClient(prisma) before the start');
});
