// The account API as a black box: one test for each row of the research on it, over HTTP, against a host that runs as a
// process. Call `describeAccountApi` in a test file. The rows themselves are in the sections.

import { afterAll, beforeAll, describe } from 'vitest';
import { describeConfiguration } from './account-configuration.contract.ts';
import type { AccountHost, StartHost } from './account-host-fixture.ts';
import { describeLogin } from './account-login.contract.ts';
import { describeMe } from './account-me.contract.ts';
import { describeRegister } from './account-register.contract.ts';
import { type Contract, type HostTraits, SECRET } from './account-request.contract.ts';
import { describeTokens } from './account-token.contract.ts';
import { describeTransport } from './account-transport.contract.ts';

/** Runs all rows. Most share one host; those about configuration or damage start others. */
export function describeAccountApi(name: string, startHost: StartHost, traits: HostTraits): void {
  describe(`${name}`, () => {
    let host: AccountHost;
    beforeAll(async () => {
      host = await startHost({ NODE_ENV: 'test', JWT_SECRET: SECRET });
    });
    afterAll(() => host?.stop());

    const contract: Contract = { host: () => host, startHost, traits };
    describeRegister(contract);
    describeLogin(contract);
    describeMe(contract);
    describeTokens(contract);
    describeConfiguration(contract);
    // The last one reads the whole output of the shared host.
    describeTransport(contract);
  });
}
