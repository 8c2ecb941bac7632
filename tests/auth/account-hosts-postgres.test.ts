// The account API over HTTP on the service with PostgreSQL.

import { afterAll, beforeAll } from 'vitest';
import { describeAccountApi } from './account-api.contract.ts';
import { appOfService, serviceOnPostgres } from './account-host-fixture.ts';
import { type PostgresServer, startPostgres } from './postgres-fixture.ts';
import { type BuiltService, buildService } from './service-fixture.ts';

let service: BuiltService | undefined;
let server: PostgresServer | undefined;
const built = (): BuiltService => service!;
const postgres = (): PostgresServer => server!;

beforeAll(async () => {
  service = await buildService();
  server = await startPostgres();
});

afterAll(() => {
  service?.remove();
  server?.remove();
});

describeAccountApi('the service on PostgreSQL', serviceOnPostgres(built, postgres), {
  startApp: appOfService(built, postgres),
  hasBodyParser: true,
  hasSessions: false,
  hasCookies: true,
  hasRecovery: false,
  isService: true,
});
