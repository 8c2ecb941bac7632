/** A browser for tests of hosts: cookies, the origin of the page, and an address of its own, since hosts limit requests by address. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';

export interface Answer {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- each test knows what it gets
  readonly body: any;
  readonly headers: IncomingMessage['headers'];
}

interface Sent {
  readonly json?: unknown;
  readonly body?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

let addresses = 0;

export class Browser {
  readonly #origin: string;
  readonly #cookies = new Map<string, string>();
  /** Each browser is another client to the rate limit. */
  readonly #address = `127.1.${Math.floor(++addresses / 250)}.${1 + (addresses % 250)}`;

  constructor(origin: string) {
    this.#origin = origin;
  }

  /** Sends a request such as `POST /api/auth/sign-out`, or with a whole address. */
  async ask(line: string, { json, body, headers }: Sent = {}): Promise<Answer> {
    const [method = '', target = ''] = line.split(' ');
    const url = new URL(target, this.#origin);
    const own = [...this.#cookies].filter(([key]) => key.startsWith(`${url.port} `));
    const sent = json === undefined ? body : JSON.stringify(json);
    const client = request({
      host: '127.0.0.1',
      port: url.port,
      path: url.pathname + url.search,
      method,
      localAddress: this.#address,
      agent: false,
      headers: {
        Host: url.host,
        ...(method !== 'GET' && { Origin: this.#origin }),
        ...(json !== undefined && { 'Content-Type': 'application/json' }),
        ...(own.length > 0 && {
          Cookie: own.map(([key, value]) => `${key.split(' ')[1]}=${value}`).join('; '),
        }),
        ...headers,
      },
    });
    client.end(sent);
    const [answer] = (await once(client, 'response')) as [IncomingMessage];
    let text = '';
    for await (const chunk of answer.setEncoding('utf8')) text += chunk as string;
    for (const cookie of answer.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (/max-age=0\b/i.test(cookie)) this.#cookies.delete(`${url.port} ${name}`);
      else this.#cookies.set(`${url.port} ${name}`, value);
    }
    const isJson = answer.headers['content-type']?.includes('json') ?? false;
    const parsed: unknown = isJson && text !== '' ? JSON.parse(text) : text;
    return { status: answer.statusCode ?? 0, body: parsed, headers: answer.headers };
  }

  /** `POST` of JSON to a route of the accounts. */
  post(path: string, json: object = {}): Promise<Answer> {
    return this.ask(`POST /api/auth${path}`, { json });
  }

  /** Follows redirects, as far as they stay below one of these addresses, and gives the address of the last. */
  async follow(start: string): Promise<string> {
    let url = start;
    for (let count = 0; count < 20; count += 1) {
      const { headers } = await this.ask(`GET ${url}`);
      if (headers.location === undefined) return url;
      url = new URL(headers.location, url).href;
    }
    throw new Error(`Too many redirects from ${start}`);
  }

  /** The user whose session it has. */
  async user(): Promise<{ readonly id: string; readonly email: string } | undefined> {
    const { body } = await this.ask('GET /api/auth/get-session');
    return body?.user;
  }

  /** The cookies as a header, for a request that somebody else sends. */
  get cookie(): string {
    return [...this.#cookies].map(([key, value]) => `${key.split(' ')[1]}=${value}`).join('; ');
  }
}
