// The development inbox below /dev/mail: pages for people, JSON for tests. It shows the mails of the jobs, sent or not,
// and changes nothing. Mails are shown as hostile text: they hold what strangers have typed.

import { createRoutes, type Handler, json, RequestError } from '../module-routes/index.js';
import type { ListOptions, StoredMail } from './mail.js';
import { html, type Html } from './templates.js';

const PREFIX = '/dev/mail';
// The frame inherits it, and its sandbox runs no script. Links open in a tab of their own.
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data: https:; form-action 'none'; base-uri 'none'; " +
  "frame-ancestors 'none'";

/** The routes. `isOpen` is asked at each request: a closed inbox answers as a path that does not exist. */
export function createInbox(list: (options: ListOptions) => Promise<StoredMail[]>, isOpen: () => boolean) {
  const get = (answer: (mails: readonly StoredMail[]) => Response | undefined): { GET: Handler } => ({
    async GET({ query, params }) {
      const to = query.get('to');
      const all = isOpen() ? await list({ limit: 1000, ...(to !== null && { to }) }) : [];
      const id = params['id'];
      const found = isOpen() && answer(id === undefined ? all.slice(0, 100) : all.filter((mail) => mail.id === id));
      if (found) return found;
      throw new RequestError(404, 'not_found', 'Not found');
    },
  });
  const routes = createRoutes({
    '/': get((mails) => page('Development inbox', listOf(mails))),
    '/messages': get((mails) => json(200, { messages: mails.map(describe) })),
    '/messages/:id': get(([mail]) => mail && json(200, { message: describe(mail) })),
    '/:id': get(([mail]) => mail && page(subjectOf(mail), factsOf(mail))),
  });
  return { prefix: PREFIX, ...routes };
}

/** A mail for tests: with its parts, and the links of its text in their order. */
function describe({ content, ...mail }: StoredMail): object {
  const { to, subject, from, replyTo, text = '', html: markup } = content ?? {};
  return { ...mail, to: to?.address, subject, from, replyTo, text, html: markup, links: text.match(LINK) ?? [] };
}

const LINK = /https?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)\]]/g;

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color:#1a1a1a}
table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:.4em .6em;border-bottom:1px solid #ddd}
pre{white-space:pre-wrap;overflow-wrap:anywhere;background:#f6f6f6;padding:1em}
iframe{width:100%;height:22em;border:1px solid #ddd}td{overflow-wrap:anywhere}.dead{color:#b00020}`;

function page(title: string, content: Html): Response {
  const text = html`<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><style>${STYLE}</style></head><body><main><h1>${title}</h1>${content}</main></body></html>`;
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store',
    'Content-Security-Policy': POLICY,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
  };
  return new Response(`<!doctype html>${text.toString()}`, { headers });
}

const subjectOf = ({ content }: StoredMail): string => content?.subject || '(no subject)';

function listOf(mails: readonly StoredMail[]): Html {
  if (mails.length === 0) return html`<p>No mail yet. What the application sends is shown here.</p>`;
  const rows = mails.map((mail) => {
    const { id, status, createdAt, content } = mail;
    const link = html`<a href="${PREFIX}/${id}">${subjectOf(mail)}</a>`;
    const to = content?.to.address;
    return html`<tr><td>${link}</td><td>${to}</td><td>${createdAt}</td><td class="${status}">${status}</td></tr>`;
  });
  const head = html`<tr><th>Subject</th><th>To</th><th>Time (UTC)</th><th>Status</th></tr>`;
  return html`<table><thead>${head}</thead><tbody>${rows}</tbody></table>`;
}

function factsOf({ id, messageId, status, attempts, error, createdAt, content }: StoredMail): Html {
  const facts = [
    ['From', content ? `${content.from.name} <${content.from.address}>`.trim() : ''],
    ['To', content?.to.address],
    ['Time (UTC)', createdAt],
    ['Message-ID', messageId],
    ['Status', `${status}, attempts: ${attempts}${error === null ? '' : `: ${error}`}`],
  ].map(([name, value]) => html`<tr><th>${name}</th><td>${value}</td></tr>`);
  const source = content?.html === undefined ? undefined : `<base target="_blank">${content.html}`;
  const sandbox = 'allow-popups allow-popups-to-escape-sandbox';
  const frame = html`<h2>HTML</h2><iframe title="HTML of the mail" sandbox="${sandbox}" srcdoc="${source}"></iframe>`;
  return html`<table><tbody>${facts}</tbody></table>${source === undefined ? '' : frame}
<h2>Text</h2><pre>${withLinks(content?.text ?? '')}</pre>
<p><a href="${PREFIX}">All mails</a>, <a href="${PREFIX}/messages/${id}">JSON</a></p>`;
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
