/// <reference types="node" />
// The public names of this folder. Import from here: the other files may be arranged differently in a later version.
// The line above finds the types of Node in projects whose tsconfig.json lists other `types`.

export { type Address, type Mail, type Mailbox, type MailContent, MailError } from './mail.js';
export { createMailModule, type MailModule, type MailModuleOptions, sendMail } from './module.js';
export { type ClaimedMail, type ListOptions, mailMigrations, type OutboxMail, type SendOptions } from './outbox.js';
export type { MailLog, SenderOptions } from './sender.js';
export type { Transport } from './smtp.js';
export { Html, html, type HtmlValue, letter, type LetterLink } from './templates.js';
