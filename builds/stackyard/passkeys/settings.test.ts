// What the environment says about pages and their domain.

import { expect, test } from 'vitest';
import { createPasskeysModule } from './index.js';

test.each([
  [{}, ['APP_URL']],
  [{ NODE_ENV: 'development' }, []],
  [{ APP_URL: 'https://app.example.com' }, []],
  [{ APP_URL: 'http://app.example.com' }, ['APP_URL']],
  [{ APP_URL: 'app.example.com' }, ['APP_URL']],
  [{ APP_URL: 'https://app.example.com', PASSKEY_ORIGINS: 'https://example.com' }, ['PASSKEY_RP_ID']],
  [{ APP_URL: 'https://app.example.com', PASSKEY_ORIGINS: 'https://example.com', PASSKEY_RP_ID: 'example.com' }, []],
  [{ APP_URL: 'https://app.example.com', PASSKEY_ORIGINS: 'android:apk-key-hash:abc, x' }, ['PASSKEY_ORIGINS']],
  [{ APP_URL: 'https://app.example.com', PASSKEY_RP_ID: 'ample.com' }, ['PASSKEY_RP_ID']],
])('with the variables %j the problems are those of %j', async (env, names) => {
  const module = createPasskeysModule({ database: {} as never, account: {} as never });
  expect(module.checkSettings(env).map(({ name }) => name)).toEqual(names);
  if (names.length > 0) await expect(module.start({ env })).rejects.toThrow(RangeError);
});
