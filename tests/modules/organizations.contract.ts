/** What stackyard/organizations does on each framework and each database. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  assertMay,
  createOrganizationsModule,
  declareActions,
  type InvitationMail,
  may,
  onOrganizationDeleted,
} from '../../builds/stackyard/organizations/index.ts';
import { type Framework, type ModuleHost, startModuleHost, statusesOf } from './module-host.ts';

const DAY_MS = 86_400_000;

declareActions({
  'notes.write': 'member',
  'notes.purge': 'admin',
  'notes.odd': ({ userId }) => userId % 2 === 1,
});

interface Person {
  readonly id: number;
  readonly email: string;
  readonly token: string;
}

export function testOrganizations(framework: Framework, postgresUrl?: () => Promise<string>): void {
  describe(`organizations on ${framework}${postgresUrl ? ' with PostgreSQL' : ''}`, () => {
    let host: ModuleHost;
    let now = Date.now();
    const mails: InvitationMail[] = [];
    let mailFault: Error | undefined;
    let count = 0;

    beforeAll(async () => {
      host = await startModuleHost({
        framework,
        postgresUrl: await postgresUrl?.(),
        env: { APP_URL: 'https://app.example.com/' },
        create: ({ database, auth }) => [
          createOrganizationsModule({
            database,
            auth,
            now: () => now,
            async mail(mail) {
              if (mailFault) throw mailFault;
              mails.push(mail);
            },
          }),
        ],
      });
    });
    afterAll(() => host.stop());

    const join = async (label: string): Promise<Person> => {
      const email = `${label}-${(count += 1)}@example.com`;
      const token = await host.register(email);
      const { id } = (await host.ask('GET /auth/me', { token })).body.user;
      return { id, email, token };
    };
    const found = async (owner: Person, name = 'Acme'): Promise<string> => {
      const answer = await host.ask('POST /organizations', { token: owner.token, json: { name } });
      expect(answer.status).toBe(201);
      return answer.body.organization.id;
    };
    const tokenOf = (email: string): string => {
      const text = mails.findLast(({ to }) => to === email)?.text ?? '';
      return /https:\/\/app\.example\.com\/invitation\?token=([\w-]{43})/.exec(text)?.[1] ?? '';
    };
    const invite = (by: Person, id: string, email: string, role?: string) =>
      host.ask(`POST /organizations/${id}/invitations`, {
        token: by.token,
        json: { email, ...(role !== undefined && { role }) },
      });
    const accept = (person: Person, token = tokenOf(person.email)) =>
      host.ask('POST /organizations/invitations/accept', { token: person.token, json: { token } });
    const add = async (by: Person, id: string, role: string): Promise<Person> => {
      const person = await join(role);
      expect((await invite(by, id, person.email, role)).status).toBe(201);
      expect((await accept(person)).status).toBe(200);
      return person;
    };
    const roles = async (person: Person, id: string): Promise<Record<string, string>> => {
      const { body } = await host.ask(`GET /organizations/${id}/members`, { token: person.token });
      return Object.fromEntries(
        body.members.map((one: { email: string; role: string }) => [one.email, one.role]),
      );
    };

    test('an organization from its beginning to its end', async () => {
      const owner = await join('owner');
      const id = await found(owner, '  Caf\u00e9 & Co ');
      const shown = await host.ask(`GET /organizations/${id}`, { token: owner.token });
      expect(shown.body.organization).toMatchObject({
        id,
        name: 'Caf\u00e9 & Co',
        role: 'owner',
      });
      const renamed = await host.ask(`PATCH /organizations/${id}`, {
        token: owner.token,
        json: { name: 'New' },
      });
      expect(renamed.body.organization.name).toBe('New');
      for (const name of ['', ' ', 'a\nb', 'x'.repeat(81), 'Win at https://evil.example', 7]) {
        const answer = await host.ask('POST /organizations', {
          token: owner.token,
          json: { name },
        });
        expect(answer.code).toBe('invalid_request');
      }
      const deleted: string[] = [];
      const stop = onOrganizationDeleted((one) => void deleted.push(one));
      expect((await host.ask(`DELETE /organizations/${id}`, { token: owner.token })).status).toBe(
        204,
      );
      stop();
      expect(deleted).toEqual([id]);
      expect((await host.ask(`GET /organizations/${id}`, { token: owner.token })).code).toBe(
        'organization_not_found',
      );
    });

    test('the same request twice makes one organization', async () => {
      const { token } = await join('twice');
      const headers = { 'Idempotency-Key': 'one' };
      const send = (name: string) =>
        host.ask('POST /organizations', { token, json: { name }, headers });
      const answers = await Promise.all([send('Acme'), send('Acme'), send('Acme')]);
      expect(statusesOf(answers)).toEqual([200, 200, 201]);
      expect(new Set(answers.map(({ body }) => body.organization.id)).size).toBe(1);
      expect((await send('Other')).code).toBe('idempotency_key_reused');
      const list = await host.ask('GET /organizations', { token });
      expect(list.body.organizations).toHaveLength(1);
    });

    test('an invitation by mail: its token is for one address, works once, and is not in the answer', async () => {
      const owner = await join('owner');
      const id = await found(owner);
      const guest = await join('guest');
      const other = await join('other');
      const answers = await Promise.all([
        invite(owner, id, ` ${guest.email.toUpperCase()} `),
        invite(owner, id, guest.email),
      ]);
      expect(statusesOf(answers)).toEqual([201, 409]);
      expect(mails.filter(({ to }) => to === guest.email)).toHaveLength(1);
      const token = tokenOf(guest.email);
      expect(JSON.stringify(answers.map(({ body }) => body))).not.toContain(token);
      expect((await accept(other, token)).code).toBe('other_address');
      expect((await accept(guest, `${token.slice(0, -1)}-`)).code).toBe('invitation_not_found');
      const joined = await Promise.all([accept(guest), accept(guest)]);
      expect(statusesOf(joined)).toEqual([200, 200]);
      expect(joined[0]?.body.organization).toMatchObject({ id, role: 'member' });
      expect(await roles(guest, id)).toEqual({ [owner.email]: 'owner', [guest.email]: 'member' });
      expect((await invite(owner, id, guest.email)).code).toBe('already_member');
      // Who was removed does not come back by the token of before.
      const path = `DELETE /organizations/${id}/members/${guest.id}`;
      expect((await host.ask(path, { token: owner.token })).status).toBe(204);
      expect((await accept(guest)).code).toBe('invitation_not_found');
    });

    test('invitations expire, are revoked, and are sent again with another token', async () => {
      const owner = await join('owner');
      const id = await found(owner);
      const guest = await join('guest');
      const { body } = await invite(owner, id, guest.email);
      const path = `/organizations/${id}/invitations/${body.invitation.id}`;
      const again = () => host.ask(`POST ${path}/send`, { token: owner.token });
      const soon = await again();
      expect([soon.code, Number(soon.headers.get('retry-after')) > 0]).toEqual([
        'rate_limited',
        true,
      ]);
      const first = tokenOf(guest.email);
      now += 61_000;
      expect((await again()).status).toBe(200);
      expect((await accept(guest, first)).code).toBe('invitation_not_found');
      const second = tokenOf(guest.email);
      now += 8 * DAY_MS;
      expect((await accept(guest, second)).code).toBe('invitation_not_found');
      const list = () => host.ask(`GET /organizations/${id}/invitations`, { token: owner.token });
      expect((await list()).body.invitations).toEqual([]);
      const renewed = await invite(owner, id, guest.email);
      expect(renewed.status).toBe(201);
      expect((await list()).body.invitations).toHaveLength(1);
      const revoked = `DELETE /organizations/${id}/invitations/${renewed.body.invitation.id}`;
      expect((await host.ask(revoked, { token: owner.token })).status).toBe(204);
      expect((await host.ask(revoked, { token: owner.token })).code).toBe('invitation_not_found');
      expect((await accept(guest)).code).toBe('invitation_not_found');
      for (const email of ['', 'a', 'a@b', 'a@b.c\r\nBcc: x@y.z', 'a b@c.de', null]) {
        expect((await invite(owner, id, email as string)).code).toBe('invalid_request');
      }
    });

    test('a mailer that fails leaves no invitation behind, and strangers get no flood', async () => {
      const owner = await join('owner');
      const id = await found(owner);
      const { email } = await join('guest');
      mailFault = new Error('the mailer is down');
      const failed = await invite(owner, id, email);
      expect([failed.status, failed.code]).toEqual([503, 'mail_unavailable']);
      mailFault = undefined;
      expect((await invite(owner, id, email)).status).toBe(201);
      for (let index = 0; index < 49; index++) {
        expect((await invite(owner, id, `n${index}@example.com`)).status).toBe(201);
      }
      expect((await invite(owner, id, 'last@example.com')).code).toBe('rate_limited');
    });

    test('roles: everybody manages those below, owners everybody', async () => {
      const owner = await join('owner');
      const id = await found(owner);
      const admin = await add(owner, id, 'admin');
      const second = await add(owner, id, 'admin');
      const member = await add(admin, id, 'member');
      const set = (by: Person, whom: Person, role: string) =>
        host.ask(`PATCH /organizations/${id}/members/${whom.id}`, {
          token: by.token,
          json: { role },
        });
      const remove = (by: Person, whom: Person) =>
        host.ask(`DELETE /organizations/${id}/members/${whom.id}`, { token: by.token });
      const { email } = await join('guest');
      expect((await invite(admin, id, email, 'admin')).code).toBe('forbidden');
      expect((await invite(admin, id, email, 'chief')).code).toBe('invalid_request');
      expect((await invite(member, id, email)).code).toBe('forbidden');
      expect((await set(admin, member, 'admin')).code).toBe('forbidden');
      expect((await set(admin, second, 'member')).code).toBe('forbidden');
      expect((await set(member, member, 'owner')).code).toBe('forbidden');
      expect((await remove(admin, owner)).code).toBe('forbidden');
      expect((await remove(member, admin)).code).toBe('forbidden');
      const path = `/organizations/${id}`;
      for (const line of [`DELETE ${path}`, `GET ${path}/invitations`]) {
        expect((await host.ask(line, { token: member.token })).code).toBe('forbidden');
      }
      expect((await set(owner, member, 'admin')).body.member).toMatchObject({ role: 'admin' });
      expect((await set(owner, owner, 'member')).code).toBe('last_owner');
      expect((await remove(owner, owner)).code).toBe('last_owner');
      expect((await remove(second, second)).status).toBe(204);
      const transfer = await host.ask(`POST ${path}/transfer`, {
        token: owner.token,
        json: { user_id: member.id },
      });
      expect(transfer.body.member).toMatchObject({ user_id: member.id, role: 'owner' });
      expect(await roles(owner, id)).toEqual({
        [owner.email]: 'admin',
        [admin.email]: 'admin',
        [member.email]: 'owner',
      });
    });

    test('two owners who leave at once leave one', async () => {
      for (let round = 0; round < 5; round++) {
        const owner = await join('owner');
        const id = await found(owner);
        const second = await add(owner, id, 'owner');
        const answers = await Promise.all(
          [owner, second].map(({ id: user, token }) =>
            host.ask(`DELETE /organizations/${id}/members/${user}`, { token }),
          ),
        );
        expect(statusesOf(answers)).toEqual([204, 409]);
        const left = answers[0]?.status === 409 ? owner : second;
        expect(await roles(left, id)).toEqual({ [left.email]: 'owner' });
      }
    });

    test('what belongs to another organization is not there', async () => {
      const owner = await join('owner');
      const id = await found(owner);
      const stranger = await join('stranger');
      const own = await found(stranger);
      const { email } = await join('guest');
      const { body } = await invite(owner, id, email);
      const path = `/organizations/${id}`;
      const lines: [string, object?][] = [
        [`GET ${path}`],
        [`PATCH ${path}`, { name: 'x' }],
        [`DELETE ${path}`],
        [`GET ${path}/members`],
        [`PATCH ${path}/members/${owner.id}`, { role: 'member' }],
        [`DELETE ${path}/members/${owner.id}`],
        [`POST ${path}/transfer`, { user_id: stranger.id }],
        [`GET ${path}/invitations`],
        [`POST ${path}/invitations`, { email: 'a@example.com' }],
        [`DELETE ${path}/invitations/${body.invitation.id}`],
        ['GET /organizations/x'],
        ['GET /organizations/00000000-0000-4000-8000-000000000000'],
      ];
      for (const [line, json] of lines) {
        const answer = await host.ask(line, { token: stranger.token, ...(json && { json }) });
        expect([line, answer.status, answer.code]).toEqual([line, 404, 'organization_not_found']);
        expect((await host.ask(line, json && { json })).code).toBe('missing_token');
      }
      const mine = `/organizations/${own}`;
      const crossed = `${mine}/invitations/${body.invitation.id}`;
      for (const line of [`DELETE ${crossed}`, `POST ${crossed}/send`]) {
        expect((await host.ask(line, { token: stranger.token })).code).toBe('invitation_not_found');
      }
      const member = `DELETE ${mine}/members/${owner.id}`;
      expect((await host.ask(member, { token: stranger.token })).code).toBe('member_not_found');
    });

    test('other modules ask, and get the state of now', async () => {
      const owner = await join('owner');
      const id = await found(owner);
      const member = await add(owner, id, 'member');
      const stranger = await join('stranger');
      expect(await may(member, 'notes.write', id)).toBe(true);
      expect(await may(member.id, 'notes.purge', id)).toBe(false);
      expect(await may(owner, 'notes.purge', id)).toBe(true);
      expect(await may(member, 'notes.odd', id)).toBe(member.id % 2 === 1);
      expect(await may(stranger, 'notes.write', id)).toBe(false);
      await expect(may(owner, 'notes.unknown', id)).rejects.toThrow(TypeError);
      expect(() => declareActions({ 'notes.write': 'admin' })).toThrow('already');
      await expect(assertMay(stranger, 'notes.write', id)).rejects.toMatchObject({ status: 404 });
      await expect(assertMay(member, 'notes.purge', id)).rejects.toMatchObject({ status: 403 });
      const path = `DELETE /organizations/${id}/members/${member.id}`;
      expect((await host.ask(path, { token: owner.token })).status).toBe(204);
      expect(await may(member, 'notes.write', id)).toBe(false);
    });

    test('an account that is deleted leaves its organizations with an owner, or none', async () => {
      const owner = await join('owner');
      const id = await found(owner);
      const empty = await found(owner, 'Empty');
      const member = await add(owner, id, 'member');
      const admin = await add(owner, id, 'admin');
      expect((await host.ask('DELETE /auth/me', { token: owner.token })).status).toBe(204);
      await expect
        .poll(() => roles(member, id))
        .toEqual({
          [member.email]: 'member',
          [admin.email]: 'owner',
        });
      expect(await may(owner, 'organization.read', empty)).toBe(false);
    });

    test('lists have pages, and the routes a description', async () => {
      const owner = await join('owner');
      const ids: string[] = [];
      for (const name of ['a', 'b', 'c']) ids.push(await found(owner, name));
      const ask = (query: string) =>
        host.ask(`GET /organizations?${query}`, { token: owner.token });
      const first = await ask('limit=2');
      const second = await ask(`limit=2&after=${first.body.next}`);
      const seen = [...first.body.organizations, ...second.body.organizations];
      expect(new Set(seen.map(({ id }) => id))).toEqual(new Set(ids));
      expect(second.body.next).toBeNull();
      const id = ids[0] ?? '';
      await add(owner, id, 'member');
      const members = (query: string) =>
        host.ask(`GET /organizations/${id}/members?${query}`, { token: owner.token });
      const page = await members('limit=1');
      const rest = await members(`limit=1&after=${page.body.next}`);
      expect([page.body.members.length, rest.body.members.length, rest.body.next]).toEqual([
        1,
        1,
        null,
      ]);
      const { body } = await host.ask('GET /openapi.json');
      expect(Object.keys(body.paths)).toContain('/organizations/{id}/members/{user}');
      expect((await host.ask('GET /ready')).status).toBe(200);
    });
  });
}
