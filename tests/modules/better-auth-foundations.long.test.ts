/** stackyard/better-auth in the foundations for Node.js, with stackyard/mail and its outbox. */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PACKAGES, type RunningHost, startProject } from './better-auth-hosts.ts';
import { useServices } from './better-auth-services.ts';
import { describeBetterAuth, SWITCHED_ON } from './better-auth.contract.ts';

const OF_FOUNDATIONS = [
  ...PACKAGES.filter((one) => !/^(?:next|react|@types\/react|@nestjs|fastify)/.test(one)),
  'pino@10',
  'swagger-ui-dist@5',
  'zod@4',
];

const services = useServices(OF_FOUNDATIONS);

describe.each([
  { foundation: 'express-api', database: 'postgres' },
  { foundation: 'hono-api', database: 'sqlite' },
] as const)('$foundation on $database', ({ foundation, database }) => {
  let running: RunningHost;
  beforeAll(async () => {
    const project = await services.projects.makeFoundation(foundation, database, SWITCHED_ON);
    const env =
      database === 'sqlite'
        ? { SQLITE_PATH: join(project.folder, 'app.db') }
        : { DATABASE_URL: await services.postgres.createDatabase('foundation') };
    const mail = { SMTP_URL: services.mails.url, MAIL_FROM: 'Shop <shop@example.com>' };
    running = await startProject(project, { ...env, ...mail });
  });
  afterAll(() => running?.stop());

  describeBetterAuth(
    () => running,
    () => services.mails,
  );

  test('is ready, logs the tables, and stops in order', async () => {
    expect((await fetch(`${running.origin}/ready`)).status).toBe(200);
    expect(running.stdout()).toContain('better-auth created or extended the tables');
    process.kill(running.pid, 'SIGTERM');
    expect((await running.exit).code).toBe(0);
  });
});
