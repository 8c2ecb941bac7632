// The routes of the specification as a black box: requests over HTTP to any base URL, and how the answers differ from it.

import { createHmac, randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';

/** Where the account routes are, such as `http://127.0.0.1:3000/auth`. */
export interface AccountHost {
  readonly base: string;
  /** The host signs its tokens with it, and runs in development, where nothing is throttled. */
  readonly secret: string;
  /** A route behind `requireAuth` that answers with `{ id, email }` of the user. */
  readonly privateUrl?: string;
  /** A parser of the application reads bodies first, which refuses JSON other than objects and lists. */
  readonly hasStrictParser?: boolean;
}

interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: {
    readonly user?: Readonly<Record<'id' | 'email' | 'created_at', unknown>>;
    readonly token?: string;
    readonly error?: Readonly<Record<'status' | 'code' | 'message', unknown>>;
  };
}

interface Sent {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  /** Text and bytes are sent as they are, anything else as JSON. */
  readonly body?: unknown;
}

const PASSWORD = 'correct horse';
const REFUSED = 'Invalid email or password';
const INVALID_TOKEN = 'Invalid or expired token';
const SHORT = 'Invalid request: password: Password must be at least 8 characters';

/** Sends the requests one after the other. Returns their number, and a line for each answer that is not as specified. */
export async function findDifferences(
  host: AccountHost,
): Promise<{ readonly requests: number; readonly differences: readonly string[] }> {
  const asker = new Asker(host);
  await askRegister(asker);
  await askLogin(asker);
  await askMe(asker);
  await askAtOnce(asker);
  return { requests: asker.requests, differences: asker.differences };
}

/** Sends requests, and notes what is not as expected. */
class Asker {
  requests = 0;
  readonly differences: string[] = [];
  readonly host: AccountHost;
  readonly #run = randomBytes(4).toString('hex');
  #emails = 0;

  constructor(host: AccountHost) {
    this.host = host;
  }

  /** An address that no account has. */
  newEmail(): string {
    return `u${this.#run}${++this.#emails}@example.com`;
  }

  note(name: string, found: unknown, wanted: unknown): void {
    if (!isDeepStrictEqual(found, wanted)) {
      this.differences.push(`${name}: ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`);
    }
  }

  async send(url: string, { method = 'GET', headers = {}, body }: Sent = {}): Promise<Reply> {
    this.requests++;
    const isRaw = body === undefined || typeof body === 'string' || body instanceof Uint8Array;
    const init = { method, headers, body: isRaw ? (body ?? null) : JSON.stringify(body) };
    const answer = await fetch(url, init as RequestInit);
    const text = await answer.text();
    const isJson = (answer.headers.get('content-type') ?? '').startsWith('application/json');
    const parsed = (text !== '' && isJson ? JSON.parse(text) : {}) as Reply['body'];
    return { status: answer.status, headers: answer.headers, text, body: parsed };
  }

  /** POST, as JSON unless `headers` say otherwise. */
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Reply> {
    const all = headers ?? { 'Content-Type': 'application/json' };
    return this.send(this.host.base + path, { method: 'POST', headers: all, body });
  }

  me(authorization?: string): Promise<Reply> {
    const headers = authorization === undefined ? {} : { Authorization: authorization };
    return this.send(`${this.host.base}/me`, { headers });
  }

  /** `message` is the whole text, or what it begins with where it ends with a space. */
  expectError(
    name: string,
    { status, headers, body }: Reply,
    wanted: number,
    message: string,
  ): void {
    const text = String(body.error?.message);
    const isBeginning = message.endsWith(' ') && text.startsWith(message);
    this.note(name, [status, isBeginning ? message : text], [wanted, message]);
    this.note(`${name}, member status`, body.error?.status, wanted);
    this.note(`${name}, member code`, /^[a-z_]+$/.test(String(body.error?.code)), true);
    if (wanted === 401) this.note(`${name}, challenge`, headers.has('www-authenticate'), true);
  }

  expectSession(name: string, reply: Reply, wanted: 200 | 201, email: string): void {
    this.note(name, [reply.status, reply.body.user?.email], [wanted, email]);
    this.note(`${name}, members`, Object.keys(reply.body), ['user', 'token']);
    this.expectUser(name, reply);
    this.note(`${name}, token`, String(reply.body.token).split('.').length, 3);
    this.note(`${name}, cache`, reply.headers.get('cache-control'), 'no-store');
    this.note(`${name}, secrets`, /password|scrypt/i.test(reply.text), false);
  }

  expectUser(name: string, { body: { user } }: Reply): void {
    this.note(`${name}, user`, Object.keys(user ?? {}), ['id', 'email', 'created_at']);
    this.note(`${name}, id`, Number.isSafeInteger(user?.id), true);
    this.note(`${name}, time`, Number.isNaN(Date.parse(String(user?.created_at))), false);
  }
}

const NO_STRINGS: readonly unknown[] = [undefined, null, 12_345_678, true, ['a@x.co'], { a: 1 }];
const NO_OBJECTS = ['[]', 'null', '"text"', '1', 'true', '[{"email":"a@x.co"}]'];
const NO_JSON = [
  '',
  ' ',
  '{',
  'nope',
  "{'email':'a'}",
  '{"email":"a@x.co",}',
  'NaN',
  '{} {}',
  '{"a":"\n"}',
];

/** What `/register` and `/login` have in common: bodies that are not read as credentials. */
async function askBadBodies(asker: Asker, path: string): Promise<void> {
  for (const value of NO_STRINGS) {
    const name = `${path} with ${JSON.stringify(value)}`;
    const noEmail = await asker.post(path, { email: value, password: PASSWORD });
    asker.expectError(`${name} for email`, noEmail, 400, 'Invalid request: email: ');
    const noPassword = await asker.post(path, { email: 'a@example.com', password: value });
    asker.expectError(`${name} for password`, noPassword, 400, 'Invalid request: password: ');
  }
  for (const body of NO_OBJECTS) {
    const isParsed = !asker.host.hasStrictParser || body.startsWith('[');
    const message = isParsed ? 'Invalid request: body: ' : 'Invalid JSON body';
    asker.expectError(`${path} with ${body}`, await asker.post(path, body), 400, message);
  }
  for (const body of [...NO_JSON, Buffer.from([0x22, 0xff, 0x22])]) {
    const reply = await asker.post(path, body);
    asker.expectError(`${path} with ${String(body)}`, reply, 400, 'Invalid JSON body');
  }
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const fields = `email=a%40example.com&password=${encodeURIComponent(PASSWORD)}`;
  asker.expectError(
    `${path} with a form`,
    await asker.post(path, fields, form),
    400,
    'Invalid JSON body',
  );
  const large = { email: 'a@example.com', password: 'p'.repeat(200_000) };
  asker.note(`${path} with 200 kB`, (await asker.post(path, large)).status, 413);
}

async function askRegister(asker: Asker): Promise<void> {
  const register = (email: string, password = PASSWORD) =>
    asker.post('/register', { email, password });
  await askBadBodies(asker, '/register');
  const email = asker.newEmail();
  asker.expectSession(
    'register',
    await register(` ${email.toUpperCase()}\n`, '12345678'),
    201,
    email,
  );
  for (const again of [email, email.toUpperCase(), `\u2003${email} `]) {
    asker.expectError(
      `register ${again} again`,
      await register(again),
      409,
      'Email is already registered',
    );
  }
  for (const password of ['', '1234567', '\u{1F600}'.repeat(7)]) {
    asker.expectError(
      `password ${password}`,
      await register(asker.newEmail(), password),
      400,
      SHORT,
    );
  }
  for (const password of ['12345678', ' '.repeat(8), '\u{1F600}'.repeat(8), 'p'.repeat(200)]) {
    asker.note(`password ${password}`, (await register(asker.newEmail(), password)).status, 201);
  }
  for (const password of ['p'.repeat(201), '\uD800'.repeat(8)]) {
    const reply = await register(asker.newEmail(), password);
    asker.expectError('a password that is refused', reply, 400, 'Invalid request: password: ');
  }
  const wrong = [
    '',
    'a',
    '@x.co',
    'a@',
    'a@localhost',
    'a..b@x.co',
    'a@x.co.',
    '"a b"@x.co',
    'a@[127.0.0.1]',
    'jörg@x.co',
  ];
  for (const text of [...wrong, `${'a'.repeat(249)}@x.com`, '.'.repeat(5000)]) {
    asker.expectError(`email ${text}`, await register(text), 400, 'Invalid request: email: ');
  }
  const both = await asker.post('/register', { email: 'a', password: 'b' });
  asker.note('two issues', String(both.body.error?.message).split('; ').length, 2);
  const valid = [
    `${'a'.repeat(240)}${asker.newEmail()}`.slice(-254),
    `o'neil+b${asker.newEmail()}`,
  ];
  for (const text of valid) asker.note(`email ${text}`, (await register(text)).status, 201);
  const more = {
    email: asker.newEmail(),
    password: PASSWORD,
    id: 1,
    token_version: 9,
    admin: true,
  };
  asker.note('further members', (await asker.post('/register', more)).status, 201);
  for (const type of [
    'text/plain',
    'application/json; charset=utf-8',
    'application/vnd.api+json',
  ]) {
    const body = JSON.stringify({ email: asker.newEmail(), password: PASSWORD });
    asker.note(
      `as ${type}`,
      (await asker.post('/register', body, { 'Content-Type': type })).status,
      201,
    );
  }
}

async function askLogin(asker: Asker): Promise<void> {
  const login = (email: string, password = PASSWORD) => asker.post('/login', { email, password });
  await askBadBodies(asker, '/login');
  const email = asker.newEmail();
  const { user } = (await asker.post('/register', { email, password: PASSWORD })).body;
  for (const text of [email, email.toUpperCase(), ` \t${email}\u00A0`]) {
    const reply = await login(text);
    asker.expectSession(`login ${text}`, reply, 200, email);
    asker.note('the same user', reply.body.user, user);
  }
  for (const password of [
    '',
    'p',
    `${PASSWORD} `,
    PASSWORD.toUpperCase(),
    'p'.repeat(5000),
    '\uD800'.repeat(8),
  ]) {
    asker.expectError(`password ${password}`, await login(email, password), 401, REFUSED);
  }
  for (const text of [
    asker.newEmail(),
    '',
    'no address',
    'a\0b@x.co',
    '\uD800@x.co',
    "' OR '1'='1",
    `${email}' --`,
    '%',
  ]) {
    asker.expectError(`email ${text}`, await login(text), 401, REFUSED);
  }
  const composed = asker.newEmail();
  await asker.post('/register', { email: composed, password: 'caf\u00E9 caf\u00E9' });
  asker.note('a decomposed password', (await login(composed, 'cafe\u0301 cafe\u0301')).status, 200);
}

async function askMe(asker: Asker): Promise<void> {
  const email = asker.newEmail();
  const { token = '', user } = (await asker.post('/register', { email, password: PASSWORD })).body;
  for (const value of [`Bearer ${token}`, `bearer ${token}`, `Bearer   ${token}`]) {
    const reply = await asker.me(value);
    asker.note('me', [reply.status, reply.body], [200, { user }]);
    asker.note('me, cache', reply.headers.get('cache-control'), 'no-store');
  }
  for (const value of [undefined, 'Basic dTpw', `Token ${token}`, token]) {
    asker.expectError(`me with ${value}`, await asker.me(value), 401, 'Missing bearer token');
  }
  const url = `${asker.host.base}/me?access_token=${token}`;
  asker.expectError('a token in the query', await asker.send(url), 401, 'Missing bearer token');
  const [header = '', payload = '', signature = ''] = token.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<
    string,
    unknown
  >;
  const { secret } = asker.host;
  const forge = (more: object, alg = 'HS256', key = secret) =>
    sign({ alg, typ: 'JWT' }, { ...claims, ...more }, key);
  const now = Math.floor(Date.now() / 1000);
  const refused: Readonly<Record<string, string>> = {
    'no token': '',
    text: 'x',
    'two parts': `${header}.${payload}`,
    'no signature': `${header}.${payload}.`,
    'four parts': `${token}.x`,
    'another signature': `${header}.${payload}.${Buffer.alloc(32).toString('base64url')}`,
    'a changed signature': `${header}.${payload}.${signature.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))}`,
    'a changed payload': `${header}.${encode({ ...claims, sub: '1' })}.${signature}`,
    'alg none': `${encode({ alg: 'none' })}.${payload}.`,
    'alg none with a signature': forge({}, 'none'),
    'alg HS512': forge({}, 'HS512'),
    'another secret': forge({}, 'HS256', 'another secret of enough bytes for it'),
    'an empty secret': forge({}, 'HS256', ''),
    expired: forge({ iat: now - 10, exp: now - 1 }),
    'no end': forge({ exp: undefined }),
    'an end that is text': forge({ exp: '9999999999' }),
    'another version': forge({ ver: 1 }),
    'another audience': forge({ aud: 'others' }),
    'an id that is no number': forge({ sub: '1 OR 1=1' }),
    padding: `${token}==`,
  };
  for (const [name, text] of Object.entries(refused)) {
    asker.expectError(
      `a token with ${name}`,
      await asker.me(`Bearer ${text}`.trim()),
      401,
      INVALID_TOKEN,
    );
  }
  asker.note('a token of the test', (await asker.me(`Bearer ${forge({})}`)).status, 200);
  const gone = await asker.me(`Bearer ${forge({ sub: '999999999' })}`);
  asker.expectError('an account that is gone', gone, 401, 'Account no longer exists');
  for (const [method, path] of [
    ['GET', '/register'],
    ['PUT', '/login'],
    ['DELETE', '/me'],
    ['POST', '/logout'],
  ] as const) {
    const headers = { Authorization: `Bearer ${token}` };
    const { status } = await asker.send(asker.host.base + path, { method, headers });
    asker.note(`${method} ${path}`, status === 404 || status === 405, true);
  }
  const { privateUrl } = asker.host;
  if (privateUrl === undefined) return;
  asker.expectError('requireAuth', await asker.send(privateUrl), 401, 'Missing bearer token');
  const reply = await asker.send(privateUrl, { headers: { Authorization: `Bearer ${token}` } });
  asker.note('requireAuth', [reply.status, reply.body], [200, { id: user?.id, email }]);
}

/** Of several registrations of one address at once, one creates the account. */
async function askAtOnce(asker: Asker): Promise<void> {
  const body = { email: asker.newEmail(), password: PASSWORD };
  const replies = await Promise.all(Array.from({ length: 5 }, () => asker.post('/register', body)));
  asker.note(
    'at once',
    replies.map(({ status }) => status).sort((a, b) => a - b),
    [201, 409, 409, 409, 409],
  );
}

/** A token that is signed by the algorithm of its header, or by HMAC-SHA256 where it names none. */
function sign(
  header: Readonly<Record<'alg' | 'typ', string>>,
  claims: object,
  secret: string,
): string {
  const text = `${encode(header)}.${encode(claims)}`;
  const hash = header.alg === 'HS512' ? 'sha512' : 'sha256';
  return `${text}.${createHmac(hash, secret).update(text).digest('base64url')}`;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
