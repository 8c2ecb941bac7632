/** stackyard/better-auth in small real applications of five hosts, on SQLite and PostgreSQL. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { type PostgresServer, startPostgres } from '../auth/postgres-fixture.ts';
import {
  type Database,
  type Host,
  PACKAGES,
  Projects,
  type RunningHost,
  startProject,
} from './better-auth-hosts.ts';
import { Mailbox } from './better-auth-mailbox.ts';
import { describeBetterAuth, SWITCHED_ON } from './better-auth.contract.ts';

/** Each host once, each database with more than one: neither knows of the other. */
const PAIRS: readonly { readonly host: Host; readonly database: Database }[] = [
  { host: 'express', database: 'sqlite' },
  { host: 'hono', database: 'postgres' },
  { host: 'fastify', database: 'sqlite' },
  { host: 'nest', database: 'postgres' },
  { host: 'next', database: 'sqlite' },
];

let projects: Projects;
let postgres: PostgresServer;
let mails: Mailbox;
beforeAll(async () => {
  [projects, postgres, mails] = await Promise.all([
    Projects.install(PACKAGES),
    startPostgres(),
    Mailbox.start(),
  ]);
});
afterAll(async () => {
  projects?.remove();
  postgres?.remove();
  await mails?.close();
});

describe.each(PAIRS)('$host on $database', ({ host, database }) => {
  let running: RunningHost;
  beforeAll(async () => {
    const project = await projects.make(`${host}-${database}`, host, database, SWITCHED_ON);
    const env =
      database === 'sqlite'
        ? { SQLITE_PATH: join(project.folder, 'app.db') }
        : { DATABASE_URL: await postgres.createDatabase(`better_${host}`) };
    running = await startProject(project, { ...env, SMTP_URL: mails.url });
  });
  afterAll(() => running?.stop());

  describeBetterAuth(
    () => running,
    () => mails,
  );
});
