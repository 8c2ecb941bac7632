/// <reference types="node" />
// The public names of this folder. Import from here: the other files may be arranged differently in a later version.
// The line above finds the types of Node in projects whose tsconfig.json lists other `types`.

export { declareActions, type Membership, type Role, type Rule } from './access.js';
export type { Invitation, OpenedInvitation } from './invitations.js';
export { assertMay, createOrganizationsModule, may, onOrganizationDeleted, type OrganizationsModule, type OrganizationsOptions } from './module.js';
export { organizationsMigrations } from './organizations.js';
export type { InvitationMail } from './routes.js';
