// The organizations of an account: switch, found one, invite into it, accept an invitation.

import { useState } from 'react';
import { Field, Form } from '../form.js';
import { authClient, result, useData, type Values } from './client.js';
import { Action, Card, Entry, Notice } from './components.js';

const { organization, $store } = authClient;
const listInvitations = () => organization.listUserInvitations();

export function OrganizationsPanel({ active }: { readonly active: string | undefined }) {
  const { data: organizations } = authClient.useListOrganizations();
  const { data: invitations = [], reload } = useData(listInvitations);
  const [done, setDone] = useState('');
  const create = async ({ organizationName: name = '' }: Values) => {
    const words = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
    await result(organization.create({ name, slug: `${words}-${crypto.randomUUID().slice(0, 8)}` }));
    setDone(`${name} is created.`);
  };
  const invite = ({ email = '' }: Values) =>
    result(organization.inviteMember({ email, role: 'member' })).then(() => setDone(`${email} is invited.`));
  const accept = (invitationId: string) =>
    result(organization.acceptInvitation({ invitationId })).then(() => ($store.notify('$listOrg'), reload()));
  const switchTo = (organizationId: string) => result(organization.setActive({ organizationId }));
  return (
    <Card title="Organizations">
      <ul>
        {organizations?.map(({ id, name }) => (
          <Entry key={id} name={name} about={id === active ? 'active' : ''}>
            {id !== active && <Action onAct={() => switchTo(id)}>{`Switch to ${name}`}</Action>}
          </Entry>
        ))}
        {invitations.map(({ id, organizationName }) => (
          <Entry key={id} name={organizationName} about="invites you">
            <Action onAct={() => accept(id)}>Accept</Action>
          </Entry>
        ))}
      </ul>
      {done !== '' && <Notice>{done}</Notice>}
      {active !== undefined && (
        <Form key={`${active} ${done}`} submit="Invite" onSubmit={invite}>
          <Field name="email" label="Invite by e-mail" type="email" autoComplete="off" required />
        </Form>
      )}
      <Form key={done} submit="Create it" onSubmit={create}>
        <Field name="organizationName" label="New organization" required maxLength={100} />
      </Form>
    </Card>
  );
}
