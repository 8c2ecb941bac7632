// The development inbox below /dev/mail: pages for people, JSON for tests. It shows what the outbox has, sent or not, and changes
// nothing. Mails are shown as hostile text: they hold what strangers have typed.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Outbox, OutboxMail } from './outbox.js';
import { html, type Html } from './templates.js';

const PREFIX = '/dev/mail';
// The frame inherits it, and its sandbox runs no script. Links open in a tab of their own.
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data: https:; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";
const ID = /^[0-9a-f-]{36}$/;

interface Answer {
  readonly status: number;
  readonly body: Html | object;
}

export interface InboxRoute {
  readonly prefix: string;
  node(req: IncomingMessage, res: ServerResponse, next: (error?: unknown) => void): void;
  fetch(request: Request, info: { readonly prefix: string }): Promise<Response | undefined>;
  readonly openapi: { readonly paths: Record<string, object>; readonly schemas: Record<string, object> };
}

/** The routes. `isOpen` is asked at each request: an inbox that must not exist answers like a path that does not. */
export function createInboxRoute(outbox: () => Outbox, isOpen: () => boolean): InboxRoute {
  const answer = async (method: string, url: string): Promise<Answer | undefined> => {
    if (!isOpen() || (method !== 'GET' && method !== 'HEAD')) return undefined;
    const { pathname, searchParams } = new URL(url, 'http://inbox');
    const to = searchParams.get('to');
    const list = () => outbox().list(to === null ? {} : { to });
    if (pathname === '/' || pathname === '') return { status: 200, body: listPage(await list()) };
    if (pathname === '/messages') return { status: 200, body: { messages: (await list()).map(describe) } };
    const [, folder, id = ''] = /^(\/messages)?\/([^/]+)$/.exec(pathname) ?? [];
    const mail = ID.test(id) ? await outbox().find(id) : undefined;
    if (!mail) return undefined;
    return { status: 200, body: folder === undefined ? mailPage(mail) : { message: describe(mail) } };
  };
  return {
    prefix: PREFIX,
    node(req, res, next) {
      const send = async (): Promise<void> => {
        const found = await answer(req.method ?? 'GET', req.url ?? '/');
        if (!found) return next();
        const { status, headers, text } = encode(found);
        res.statusCode = status;
        for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
        res.end(req.method === 'HEAD' ? undefined : text);
      };
      void passErrors(send, next);
    },
    async fetch(request, { prefix }) {
      const found = await answer(request.method, request.url.slice(new URL(request.url).origin.length + prefix.length));
      if (!found) return undefined;
      const { status, headers, text } = encode(found);
      return new Response(request.method === 'HEAD' ? null : text, { status, headers });
    },
    openapi: describeRoutes(),
  };
}

async function passErrors(work: () => Promise<void>, next: (error?: unknown) => void): Promise<void> {
  try {
    await work();
  } catch (error) {
    next(error);
  }
}

function encode({ status, body }: Answer): { readonly status: number; readonly headers: Record<string, string>; readonly text: string } {
  const isPage = 'toString' in body && body.constructor !== Object;
  const text = isPage ? `<!doctype html>${body.toString()}` : JSON.stringify(body);
  const type = isPage ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8';
  const headers = {
    'Content-Type': type,
    'Content-Length': String(Buffer.byteLength(text)),
    'Cache-Control': 'no-store',
    'Content-Security-Policy': POLICY,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
  };
  return { status, headers, text };
}

/** A mail for tests: with its parts, and the links of its text in their order. */
function describe({ content, ...mail }: OutboxMail): object {
  const { from, replyTo, text = '', html: markup } = content ?? {};
  return { ...mail, from, replyTo, text, html: markup, links: text.match(LINK) ?? [] };
}

const LINK = /https?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)\]]/g;

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color:#1a1a1a;background:#fff}
table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:.4em .6em;border-bottom:1px solid #ddd;vertical-align:top}
pre{white-space:pre-wrap;overflow-wrap:anywhere;background:#f6f6f6;padding:1em}iframe{width:100%;height:22em;border:1px solid #ddd}
a{color:#0b57d0}td{overflow-wrap:anywhere}.dead{color:#b00020}`;

function page(title: string, content: Html): Html {
  return html`<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<style>${STYLE}</style></head><body><main><h1>${title}</h1>${content}</main></body></html>`;
}

function listPage(mails: readonly OutboxMail[]): Html {
  if (mails.length === 0) return page('Development inbox', html`<p>No mail yet. What the application sends is shown here.</p>`);
  const rows = mails.map(
    ({ id, to, subject, status, createdAt }) =>
      html`<tr><td><a href="${PREFIX}/${id}">${subject === '' ? '(no subject)' : subject}</a></td><td>${to}</td><td>${createdAt}</td><td class="${status}">${status}</td></tr>`,
  );
  return page('Development inbox', html`<table><thead><tr><th>Subject</th><th>To</th><th>Time (UTC)</th><th>Status</th></tr></thead><tbody>${rows}</tbody></table>`);
}

function mailPage({ id, messageId, to, subject, status, attempts, error, createdAt, content }: OutboxMail): Html {
  const facts = [
    ['From', content ? `${content.from.name} <${content.from.address}>`.trim() : ''],
    ['To', to],
    ['Time (UTC)', createdAt],
    ['Message-ID', messageId],
    ['Status', `${status}, ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}${error === null ? '' : `: ${error}`}`],
  ].map(([name, value]) => html`<tr><th>${name}</th><td>${value}</td></tr>`);
  const frame =
    content?.html === undefined
      ? ''
      : html`<h2>HTML</h2><iframe title="HTML of the mail" sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc="${`<base target="_blank">${content.html}`}"></iframe>`;
  const back = html`<p><a href="${PREFIX}">All mails</a>, <a href="${PREFIX}/messages/${id}">JSON</a></p>`;
  return page(subject === '' ? '(no subject)' : subject, html`<table><tbody>${facts}</tbody></table>${frame}<h2>Text</h2><pre>${withLinks(content?.text ?? '')}</pre>${back}`);
}

function withLinks(text: string): Html {
  const parts: Html[] = [];
  let end = 0;
  for (const { 0: url, index = 0 } of text.matchAll(LINK)) {
    parts.push(html`${text.slice(end, index)}<a href="${url}" target="_blank" rel="noreferrer noopener">${url}</a>`);
    end = index + url.length;
  }
  return html`${parts}${text.slice(end)}`;
}

function describeRoutes(): InboxRoute['openapi'] {
  const text = { type: 'string' };
  const id = { name: 'id', in: 'path', required: true, schema: text };
  const to = { name: 'to', in: 'query', description: 'The address of one recipient', schema: text };
  const operation = (summary: string, type: string, schema: object) => ({
    summary,
    tags: ['mail'],
    security: [],
    responses: { 200: { description: summary, content: { [type]: { schema } } } },
  });
  const ref = { $ref: '#/components/schemas/InboxMail' };
  const object = (properties: object) => ({ type: 'object', properties, required: Object.keys(properties) });
  const time = { type: ['string', 'null'], format: 'date-time' };
  const mail = object({
    id: text, messageId: text, status: { enum: ['queued', 'sent', 'dead'] }, to: text, subject: text, attempts: { type: 'integer' },
    error: { type: ['string', 'null'] }, createdAt: time, finishedAt: time, text, links: { type: 'array', items: text },
  });
  return {
    paths: {
      '/': { get: { ...operation('The development inbox, for people', 'text/html', text), parameters: [to] } },
      '/{id}': { parameters: [id], get: operation('A mail, for people', 'text/html', text) },
      '/messages': { get: { ...operation('The newest mails', 'application/json', object({ messages: { type: 'array', items: ref } })), parameters: [to] } },
      '/messages/{id}': { parameters: [id], get: operation('A mail', 'application/json', object({ message: ref })) },
    },
    schemas: { InboxMail: mail },
  };
}
