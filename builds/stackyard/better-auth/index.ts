/// <reference types="node" />
// The public names of this folder. Those of a host are in express.ts, hono.ts, fastify.ts, nest.ts and next.ts.
// The line above finds the types of Node in projects whose tsconfig.json lists other `types`.

export { endOtherAccess, endUnprovenAccess } from './access.js';
export { defineAuth } from './instance.js';
export { authModule } from './module.js';
export { authenticate, type AuthUser, currentUser } from './session.js';
export { authSettings, checkAuthSettings, type SettingProblem } from './settings.js';

/** What src/auth.mail.ts exports: `sendMail` of the build with the tag `mail`. */
type TextMail = { to: string; subject: string; text: string };
export type SendMail = (mail: TextMail, options?: { key?: string }) => Promise<unknown>;
