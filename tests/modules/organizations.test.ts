// stackyard/organizations on both frameworks with SQLite.

import { expect, onTestFinished, test } from 'vitest';
import { createOrganizationsModule } from '../../builds/stackyard/organizations/index.ts';
import { FRAMEWORKS, startModuleHost } from './module-host.ts';
import { testOrganizations } from './organizations.contract.ts';

for (const framework of FRAMEWORKS) testOrganizations(framework);

test('without mail the link is in the answer, and a module may let anyone with it in', async () => {
  const host = await startModuleHost({
    framework: 'express',
    create: ({ database, auth }) => [
      createOrganizationsModule({ database, auth, acceptedBy: 'anyone' }),
    ],
  });
  onTestFinished(() => host.stop());
  const owner = await host.register('owner@example.com');
  const { body } = await host.ask('POST /organizations', { token: owner, json: { name: 'Acme' } });
  const path = `POST /organizations/${body.organization.id}/invitations`;
  const json = { email: 'someone@example.com' };
  const { link } = (await host.ask(path, { token: owner, json })).body;
  expect(link).toMatch(/^http:\/\/localhost:3000\/invitation\?token=[\w-]{43}$/);
  const token = new URL(link).searchParams.get('token');
  const accept = 'POST /organizations/invitations/accept';
  const [other, late] = [
    await host.register('other@example.com'),
    await host.register('late@example.com'),
  ];
  expect((await host.ask(accept, { token: other, json: { token } })).status).toBe(200);
  expect((await host.ask(accept, { token: late, json: { token } })).code).toBe(
    'invitation_not_found',
  );
});

test('settings', () => {
  const module = createOrganizationsModule({ database: never, auth: never as never });
  const names = (env: Record<string, string>) => module.checkSettings(env).map(({ name }) => name);
  expect(names({})).toEqual(['APP_URL']);
  expect(names({ APP_URL: 'http://app.example.com' })).toEqual(['APP_URL']);
  expect(names({ APP_URL: 'https://app.example.com' })).toEqual([]);
  expect(names({ NODE_ENV: 'development' })).toEqual([]);
});

function never(): never {
  throw new Error('Not used');
}
