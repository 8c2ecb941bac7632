/// <reference types="node" />
// The public names of this folder. Import from here: the other files may be arranged differently in a later version.
// The line above finds the types of Node in projects whose tsconfig.json lists other `types`.

export { type Mail, MailError, type StoredMail } from './mail.js';
export { createMailModule, sendMail, type SendOptions } from './module.js';
export type { Transport } from './smtp.js';
export { type Html, html, letter } from './templates.js';
