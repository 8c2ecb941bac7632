// The account API as a black box: one test for each row of the research on it, over HTTP, against a host that runs as a
// process. Call `describeAccountApi` in a test file. The rows themselves are in the sections.

import { afterAll, beforeAll, describe } from 'vitest';
import { describeConfiguration } from './account-configuration.contract.ts';
import { describeCookies } from './account-cookie.contract.ts';
import type { AccountHost, StartHost } from './account-host-fixture.ts';
import { describeLogin } from './account-login.contract.ts';
import { describeMe } from './account-me.contract.ts';
import { describeRecovery } from './account-recovery.contract.ts';
import { describeRegister } from './account-register.contract.ts';
import { type Contract, type HostTraits, SECRET } from './account-request.contract.ts';
import { describeSessions } from './account-session.contract.ts';
import { describeTokens } from './account-token.contract.ts';
import { describeTransport } from './account-transport.contract.ts';

/** All rows together compute hundreds of hashes. */
const NODE_OPTIONS = `--import=${new URL('cheap-scrypt.ts', import.meta.url).href}`;

/** Runs all rows. Most share one host; those about configuration or damage start others. */
export function describeAccountApi(
  name: string,
  startHashingHost: StartHost,
  traits: HostTraits,
): void {
  describe(`${name}`, () => {
    const startHost: StartHost = (env) => startHashingHost({ NODE_OPTIONS, ...env });
    let host: AccountHost;
    let hashingHost: AccountHost;
    beforeAll(async () => {
      const env = { NODE_ENV: 'test', JWT_SECRET: SECRET };
      [host, hashingHost] = await Promise.all([startHost(env), startHashingHost(env)]);
    });
    afterAll(() => Promise.all([host?.stop(), hashingHost?.stop()]));

    const contract: Contract = {
      host: () => host,
      hashingHost: () => hashingHost,
      startHost,
      startHashingHost,
      traits,
    };
    describeRegister(contract);
    describeLogin(contract);
    describeMe(contract);
    describeSessions(contract);
    describeCookies(contract);
    describeRecovery(contract);
    describeTokens(contract);
    describeConfiguration(contract);
    // The last one reads the whole output of the shared host.
    describeTransport(contract);
  });
}
