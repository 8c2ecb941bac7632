/** stackyard/better-auth in small real applications of five hosts, on SQLite and PostgreSQL. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import {
  type Database,
  type Host,
  PACKAGES,
  type RunningHost,
  startProject,
} from './better-auth-hosts.ts';
import { useServices } from './better-auth-services.ts';
import { describeBetterAuth, SWITCHED_ON } from './better-auth.contract.ts';

/** Each host once, each database with more than one: neither knows of the other. */
const PAIRS: readonly { readonly host: Host; readonly database: Database }[] = [
  { host: 'express', database: 'sqlite' },
  { host: 'hono', database: 'postgres' },
  { host: 'fastify', database: 'sqlite' },
  { host: 'nest', database: 'postgres' },
  { host: 'next', database: 'sqlite' },
];

const services = useServices(PACKAGES);

describe.each(PAIRS)('$host on $database', ({ host, database }) => {
  let running: RunningHost;
  beforeAll(async () => {
    const project = await services.projects.make(
      `${host}-${database}`,
      host,
      database,
      SWITCHED_ON,
    );
    const env =
      database === 'sqlite'
        ? { SQLITE_PATH: join(project.folder, 'app.db') }
        : { DATABASE_URL: await services.postgres.createDatabase(`better_${host}`) };
    running = await startProject(project, { ...env, SMTP_URL: services.mails.url });
  });
  afterAll(() => running?.stop());

  describeBetterAuth(
    () => running,
    () => services.mails,
  );
});
