// The routes as OpenAPI 3.1.

import { describeRoutes, type Json, listOf, object, PAGE_PARAMETERS, parameter, ref } from '../module-routes/index.js';

const text: Json = { type: 'string' };
const time: Json = { type: 'string', format: 'date-time' };
const id: Json = { type: 'integer' };
const role: Json = { type: 'string', enum: ['owner', 'admin', 'member'] };
const next: Json = { type: ['string', 'null'] };
const named = object({ name: { type: 'string', minLength: 1, maxLength: 80 } });
const email: Json = { type: 'string', format: 'email', maxLength: 254 };
const organization = object({ organization: ref('Organization') });
const member = object({ member: ref('OrganizationMember') });
const invitation: Json = {
  ...object({ invitation: ref('OrganizationInvitation') }),
  properties: { invitation: ref('OrganizationInvitation'), link: text },
};

const LOGIN = { 401: 'There is no valid login' };
const BODY = { 400: 'The request breaks a rule' };
const MEMBER = { ...LOGIN, 404: 'There is no such organization, member or invitation for this user' };
const ROLE = { ...MEMBER, 403: 'The role of the user does not suffice' };
const OWNER = { 409: 'An organization needs an owner' };
const MAIL = { 429: 'Too many invitations', 503: 'The mail could not be sent' };

export const openApi = describeRoutes(
  'organizations',
  {
    '/': {
      get: {
        summary: 'Lists the organizations of the user',
        answers: { 200: object({ organizations: listOf(ref('Organization')), next }) },
        refusals: { ...LOGIN, ...BODY },
        parameters: PAGE_PARAMETERS,
      },
      post: {
        summary: 'Makes an organization, and the user its owner',
        answers: { 201: organization, 200: organization },
        refusals: { ...LOGIN, ...BODY, 409: 'The key had another request, or the user owns too many' },
        body: named,
        parameters: [parameter('header', 'Idempotency-Key', { ...text, maxLength: 200 })],
      },
    },
    '/invitations/accept': {
      post: {
        summary: 'Joins by the token of an invitation',
        answers: { 200: organization },
        refusals: { ...LOGIN, ...BODY, 403: 'It is for another address', 404: 'It does not exist, was used or has expired' },
        body: object({ token: text }),
      },
    },
    '/{id}': {
      get: { summary: 'An organization, with the role of the user', answers: { 200: organization }, refusals: MEMBER },
      patch: { summary: 'Renames it', answers: { 200: organization }, refusals: { ...ROLE, ...BODY }, body: named },
      delete: { summary: 'Deletes it', answers: { 204: 'It is deleted' }, refusals: ROLE },
    },
    '/{id}/members': {
      get: {
        summary: 'Lists the members',
        answers: { 200: object({ members: listOf(ref('OrganizationMember')), next }) },
        refusals: { ...MEMBER, ...BODY },
        parameters: PAGE_PARAMETERS,
      },
    },
    '/{id}/members/{user}': {
      patch: { summary: 'Changes the role of a member', answers: { 200: member }, refusals: { ...ROLE, ...BODY, ...OWNER }, body: object({ role }) },
      delete: { summary: 'Removes a member, or leaves', answers: { 204: 'It is done' }, refusals: { ...ROLE, ...OWNER } },
    },
    '/{id}/transfer': {
      post: { summary: 'Hands the organization over', answers: { 200: member }, refusals: { ...ROLE, ...BODY }, body: object({ user_id: id }) },
    },
    '/{id}/invitations': {
      get: {
        summary: 'Lists the open invitations',
        answers: { 200: object({ invitations: listOf(ref('OrganizationInvitation')), next }) },
        refusals: { ...ROLE, ...BODY },
        parameters: PAGE_PARAMETERS,
      },
      post: {
        summary: 'Invites an address',
        answers: { 201: invitation },
        refusals: { ...ROLE, ...BODY, ...MAIL, 409: 'The address is invited, or belongs to a member' },
        body: { ...object({ email }), properties: { email, role } },
      },
    },
    '/{id}/invitations/{invitation}': { delete: { summary: 'Revokes an invitation', answers: { 204: 'It is revoked' }, refusals: ROLE } },
    '/{id}/invitations/{invitation}/send': {
      post: { summary: 'Sends an invitation again, with a new token', answers: { 200: invitation }, refusals: { ...ROLE, ...MAIL } },
    },
  },
  {
    Organization: object({ id: text, name: text, role, created_at: time }),
    OrganizationMember: object({ user_id: id, email: text, role, joined_at: time }),
    OrganizationInvitation: object({ id: text, email: text, role, created_at: time, expires_at: time }),
  },
);
