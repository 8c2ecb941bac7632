// The routes as OpenAPI 3.1, for a host that describes itself: path items by path below the prefix, and the schemas they name.

type Json = Readonly<Record<string, unknown>>;

export interface OpenApiPart {
  readonly paths: Record<string, Json>;
  readonly schemas: Record<string, Json>;
}

const text: Json = { type: 'string' };
const password: Json = { type: 'string', format: 'password' };
const newPassword: Json = { ...password, minLength: 8, maxLength: 200 };
const email: Json = { type: 'string', format: 'email', maxLength: 254 };
const time: Json = { type: 'string', format: 'date-time' };
const device: Json = { type: ['string', 'null'], maxLength: 200 };

const SESSION: Json = object({ id: text, device, created_at: time, expires_at: time, current: { type: 'boolean' } });
const SCHEMAS: Record<string, Json> = {
  AccountUser: object({ id: { type: 'integer', minimum: 1 }, email: text, created_at: time }),
  AccountSession: SESSION,
  AccountError: object({
    error: {
      ...object({ status: { type: 'integer' }, code: text, message: text }),
      properties: { status: { type: 'integer' }, code: text, message: text, issues: { type: 'array' }, requestId: text },
    },
  }),
};

const REFUSALS: Readonly<Record<number, string>> = {
  400: 'The body is not JSON, or breaks a rule',
  401: 'There is no valid token, or e-mail and password do not match',
  403: 'The password is wrong, or the login was too long ago',
  404: 'There is no such session',
  409: 'The e-mail is registered, or the account was changed at the same time',
  413: 'The body is too large',
  429: 'Too many attempts; see Retry-After',
  503: 'Too many requests in progress; see Retry-After',
};

const user = object({ user: ref('AccountUser') });
const userAndToken = object({ user: ref('AccountUser'), token: text });

/** The routes of accounts, those of sessions only `withSessions`. */
export function describeRoutes(withSessions: boolean): OpenApiPart {
  const sessions = object({ sessions: { type: 'array', items: ref('AccountSession') } });
  const register = object({ email, password: newPassword });
  const change = object({ current_password: password, new_password: newPassword });
  const id = { name: 'id', in: 'path', required: true, schema: text };
  const paths: Record<string, Json> = {
    '/register': { post: operation('Registers an account', [400, 409, 413, 429, 503], { 201: userAndToken }, register, true) },
    '/login': { post: operation('Logs in', [400, 401, 413, 429, 503], { 200: userAndToken }, object({ email: text, password }), true) },
    '/me': {
      get: operation('The account of the token', [401], { 200: user }),
      delete: operation('Deletes the account', [401, 403], { 204: undefined }),
    },
    '/logout': { post: operation('Ends this session', [401], { 204: undefined }) },
    '/logout-all': { post: operation('Ends all sessions', [401], { 204: undefined }) },
    '/password': { post: operation('Changes the password', [400, 401, 403, 409, 413, 429, 503], { 200: userAndToken }, change) },
  };
  const { AccountSession: session, ...others } = SCHEMAS;
  if (!withSessions || !session) return { paths, schemas: others };
  paths['/sessions'] = { get: operation('Lists the sessions', [401], { 200: sessions }) };
  paths['/sessions/{id}'] = { parameters: [id], delete: operation('Ends a session', [401, 404], { 204: undefined }) };
  return { paths, schemas: SCHEMAS };
}

/** An operation: its answers by status, `undefined` for one without a body; the schema of its body; whether no token is needed. */
export function operation(
  summary: string,
  refusals: readonly number[],
  answers: Readonly<Record<number, Json | undefined>>,
  body?: Json,
  isOpen = false,
): Json {
  const responses: Record<string, Json> = {};
  for (const [status, schema] of Object.entries(answers)) responses[status] = { description: summary, ...(schema && json(schema)) };
  for (const status of refusals) responses[status] = { description: REFUSALS[status], ...json(ref('AccountError')) };
  const security = isOpen ? [] : [{ bearer: [] }];
  return { summary, tags: ['account'], security, ...(body && { requestBody: { required: true, ...json(body) } }), responses };
}

/** An object with these members, all required. */
export function object(properties: Readonly<Record<string, Json>>): Json {
  return { type: 'object', properties, required: Object.keys(properties) };
}

/** A schema of the components. */
export function ref(name: string): Json {
  return { $ref: `#/components/schemas/${name}` };
}

function json(schema: Json): Json {
  return { content: { 'application/json': { schema } } };
}
