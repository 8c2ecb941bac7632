// The account API over HTTP on the service with SQLite. Each host has a file of its own, so that they run side by side.

import { afterAll, beforeAll } from 'vitest';
import { describeAccountApi } from './account-api.contract.ts';
import { appOfService, serviceOnSqlite } from './account-host-fixture.ts';
import { type BuiltService, buildService } from './service-fixture.ts';

let service: BuiltService | undefined;
const built = (): BuiltService => service!;

beforeAll(async () => {
  service = await buildService();
});

afterAll(() => service?.remove());

describeAccountApi('the service on SQLite', serviceOnSqlite(built), {
  startApp: appOfService(built),
  hasBodyParser: true,
  hasSessions: false,
  hasCookies: true,
  hasRecovery: false,
  isService: true,
});
