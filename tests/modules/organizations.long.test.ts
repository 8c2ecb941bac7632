// stackyard/organizations on both frameworks with PostgreSQL, where requests run at the same time.

import { afterAll, beforeAll } from 'vitest';
import { type PostgresServer, startPostgres } from '../auth/postgres-fixture.ts';
import { FRAMEWORKS } from './module-host.ts';
import { testOrganizations } from './organizations.contract.ts';

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.remove());

for (const framework of FRAMEWORKS) {
  testOrganizations(framework, () => postgres.createDatabase(`organizations_${framework}`));
}
