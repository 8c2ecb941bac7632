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
  const [invited, setInvited] = useState<string>();
  const create = async ({ organizationName: name = '' }: Values) => {
    const words = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
    await result(organization.create({ name, slug: `${words}-${crypto.randomUUID().slice(0, 8)}` }));
  };
  const invite = async ({ email = '' }: Values) => {
    await result(organization.inviteMember({ email, role: 'member' }));
    setInvited(email);
  };
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
      {invited !== undefined && <Notice>{invited} is invited.</Notice>}
      {active !== undefined && (
        <Form key={`${active} ${invited}`} submit="Invite" onSubmit={invite}>
          <Field name="email" label="Invite by e-mail" type="email" autoComplete="off" required />
        </Form>
      )}
      <Form key={organizations?.length} submit="Create it" onSubmit={create}>
        <Field name="organizationName" label="New organization" required maxLength={100} />
      </Form>
    </Card>
  );
}
