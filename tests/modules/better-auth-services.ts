/** What the tests of stackyard/better-auth need beside the applications, from the first to the last test of a file. */
import { afterAll, beforeAll } from 'vitest';
import { type PostgresServer, startPostgres } from '../auth/postgres-fixture.ts';
import { Projects } from './better-auth-hosts.ts';
import { Mailbox } from './better-auth-mailbox.ts';

interface Services {
  projects: Projects;
  postgres: PostgresServer;
  mails: Mailbox;
}

/** @param packages of the projects */
export function useServices(packages: readonly string[]): Services {
  const services = {} as Services;
  beforeAll(async () => {
    const [projects, postgres, mails] = await Promise.all([
      Projects.install(packages),
      startPostgres(),
      Mailbox.start(),
    ]);
    Object.assign(services, { projects, postgres, mails });
  });
  afterAll(async () => {
    services.projects?.remove();
    services.postgres?.remove();
    await services.mails?.close();
  });
  return services;
}
