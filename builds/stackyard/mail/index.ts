/// <reference types="node" />
// The public names of this folder. Import from here: the other files may be arranged differently in a later version.
// The line above finds the types of Node in projects whose tsconfig.json lists other `types`.

export {
  type Address, type ListOptions, type Mail, type Mailbox, type MailContent, MailError, type StoredMail,
} from './mail.js';
export { createMailModule, type MailModule, type MailModuleOptions, sendMail, type SendOptions } from './module.js';
export type { SentMail, Transport } from './smtp.js';
export { Html, html, type HtmlValue, letter, type LetterLink } from './templates.js';
