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
  403: 'The password is wrong, the login was too long ago, or a request by the cookie comes from another origin',
  404: 'There is no such session',
  409: 'The e-mail is registered, or the account was changed at the same time',
  413: 'The body is too large',
  429: 'Too many attempts; see Retry-After',
  503: 'Too many requests in progress; see Retry-After',
};

const user = object({ user: ref('AccountUser') });
const userAndToken: Json = { ...object({ user: ref('AccountUser'), token: text }), required: ['user'] };
const challenge = object({ secondFactor: { type: 'array', items: text }, challenge: text });
const session = {
  name: 'X-Session',
  in: 'header',
  description: '`cookie` answers without the token and sets it as a cookie, to a page of the own origin. It is accepted wherever a bearer token is',
  schema: { enum: ['cookie'] },
};

/** The operations of `/login`, with the answer that asks for a second factor where there is one. */
export function describeLogin(withSecondFactor: boolean): Json {
  const answer = withSecondFactor ? { oneOf: [userAndToken, challenge] } : userAndToken;
  const login = operation('Logs in', [400, 401, 403, 413, 429, 503], { 200: answer }, object({ email: text, password }), true);
  return { parameters: [session], post: login };
}

/** The routes of accounts, those of sessions only `withSessions`. */
export function describeRoutes(withSessions: boolean): OpenApiPart {
  const sessions = object({ sessions: { type: 'array', items: ref('AccountSession') } });
  const register = object({ email, password: newPassword });
  const list = object({ paths: { type: 'array', items: text } });
  const change = object({ current_password: password, new_password: newPassword });
  const id = { name: 'id', in: 'path', required: true, schema: text };
  const paths: Record<string, Json> = {
    '/features': { get: operation('The paths of these routes, for front ends that show what is installed', [], { 200: list }, undefined, true) },
    '/register': {
      parameters: [session],
      post: operation('Registers an account', [400, 403, 409, 413, 429, 503], { 201: userAndToken }, register, true),
    },
    '/login': describeLogin(false),
    '/me': {
      get: operation('The account of the token', [401], { 200: user }),
      delete: operation('Deletes the account', [401, 403], { 204: undefined }),
    },
    '/logout': { post: operation('Ends this session', [401, 403], { 204: undefined }) },
    '/logout-all': { post: operation('Ends all sessions', [401, 403], { 204: undefined }) },
    '/password': {
      parameters: [session],
      post: operation('Changes the password', [400, 401, 403, 409, 413, 429, 503], { 200: userAndToken }, change),
    },
  };
  const { AccountSession: listed, ...others } = SCHEMAS;
  if (!withSessions || !listed) return { paths, schemas: others };
  paths['/sessions'] = { get: operation('Lists the sessions', [401], { 200: sessions }) };
  paths['/sessions/{id}'] = { parameters: [id], delete: operation('Ends a session', [401, 403, 404], { 204: undefined }) };
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
