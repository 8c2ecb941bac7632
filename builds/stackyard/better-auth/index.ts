/// <reference types="node" />
// The public names of this folder. Those of a host are in express.ts, hono.ts, fastify.ts, nest.ts and next.ts.

export { endOtherAccess, endUnprovenAccess } from './access.js';
export { defineAuth } from './instance.js';
export { authModule } from './module.js';
export { authenticate, type AuthUser, currentUser } from './session.js';
export { authSettings, checkAuthSettings, type SettingProblem } from './settings.js';

type Mail = { to: string; subject: string; text: string };
/** What src/auth.mail.ts exports: `sendMail` of the build with the tag `mail`. */
export type SendMail = (mail: Mail, options?: { key?: string }) => Promise<unknown>;
