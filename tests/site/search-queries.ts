/**
 * What people type into the search of a registry with this repository's builds, and the builds that answer: all of them are
 * expected among the first three results. The queries are not made from the keywords of the builds.
 */

/** The query, and names of builds of `stackyard`. */
export type ExpectedAnswer = readonly [query: string, ...builds: readonly string[]];

const ACCOUNTS = ['account', 'better-auth'] as const;
const NODE_APIS = ['express-api', 'hono-api'] as const;
const APIS = [...NODE_APIS, 'fastapi-api'] as const;

/** Of all of them those that find something else: the words of other builds are nearer, or those of deprecated ones. */
export const MISSED: readonly string[] = [
  'users table',
  'how to add login to hono',
  'how do I add users to my express app',
  'graceful shutdown',
  'sql migration tool',
  'new express project',
  'change password',
  'passwordless login',
  'local database file',
  'loggin',
];

/** Written before the table of synonyms. */
export const QUERIES: readonly ExpectedAnswer[] = [
  ['authentication', 'account'],
  ['signup', 'account'],
  ['user login', ...ACCOUNTS],
  ['sqllite', 'sqlite'],
  ['backend', ...APIS],
  ['web server', ...APIS],
  ['jwt', 'account'],
  ['express starter', 'express-api'],
  ['python api', 'fastapi-api'],
  ['fast api template', 'fastapi-api'],
  ['rest api boilerplate', ...APIS],
  ['db migrations', 'sqlite'],
  ['database', 'sql'],
  ['login page backend', 'auth-pages'],
  ['postgres', 'postgres'],
  ['users table', 'account'],
  ['hono', 'hono-api'],
  ['typescript server', ...NODE_APIS],
  ['session', 'auth-pages', 'better-auth'],
  ['password reset', 'auth-pages', 'better-auth'],
  ['node backend', ...NODE_APIS],
  ['auth for express', 'account'],
  ['sign in', 'account'],
  ['how to add login to hono', 'better-auth'],
  ['expressjs', 'express-api', 'account'],
  ['register users', 'account'],
  ['forgot password', 'auth-pages', 'better-auth'],
  ['email verification', 'better-auth'],
  ['athentication', 'account'],
  ['pyhton', 'fastapi-api'],
  ['typscript starter', ...NODE_APIS],
  ['storage', 'uploads'],
  ['embedded sql', 'sqlite'],
  ['node.js rest api', ...NODE_APIS],
  ['dockerfile', ...APIS],
  ['openapi', ...NODE_APIS],
  ['migration', 'sqlite'],
  ['user accounts', 'account'],
  ['skeleton', ...APIS],
  ['scaffold api typescript', ...NODE_APIS],
];

/** Written when the table of synonyms was done, and it was not changed for them. */
export const LATER_QUERIES: readonly ExpectedAnswer[] = [
  ['how do I add users to my express app', 'account'],
  ['token auth', 'account'],
  ['python backend starter', 'fastapi-api'],
  ['postgress', 'postgres'],
  ['graceful shutdown', ...NODE_APIS],
  ['sql migration tool', 'sqlite'],
  ['logout', 'account'],
  ['verify email address', 'better-auth'],
  ['new express project', 'express-api'],
  ['flask', 'fastapi-api'],
  ['persist data', 'sql'],
  ['swagger', ...NODE_APIS],
  ['change password', 'account'],
  ['passwordless login', 'account'],
  ['bcrypt', 'account'],
  ['nodejs api template', ...NODE_APIS],
  ['local database file', 'sqlite'],
  ['loggin', 'account'],
  ['server with docker', ...APIS],
  ['protect routes', 'fastapi-account'],
];

/** The queries of which a build is not among the first three ids. */
export async function unanswered(
  queries: readonly ExpectedAnswer[],
  search: (query: string) => Promise<readonly string[]>,
): Promise<string[]> {
  const missing: string[] = [];
  for (const [query, ...builds] of queries) {
    const first = (await search(query)).slice(0, 3);
    if (builds.some((name) => !first.includes(`stackyard/${name}`))) missing.push(query);
  }
  return missing;
}
