/**
 * What people type into the search of a registry with this repository's builds, and the builds that answer: all of them are
 * expected among the first three results. The queries are not made from the keywords of the builds.
 */

/** The query, and names of builds of `stackyard`. */
export type ExpectedAnswer = readonly [query: string, ...builds: readonly string[]];

const ACCOUNTS = ['account', 'better-auth'] as const;
const NODE_APIS = ['express-api', 'hono-api'] as const;
const APIS = [...NODE_APIS, 'fastapi-api'] as const;

/** Written before the table of synonyms. */
export const QUERIES: readonly ExpectedAnswer[] = [
  ['authentication', ...ACCOUNTS],
  ['signup', ...ACCOUNTS],
  ['user login', ...ACCOUNTS],
  ['sqllite', 'sqlite'],
  ['backend', ...APIS],
  ['web server', ...APIS],
  ['jwt', ...ACCOUNTS],
  ['express starter', 'express-api'],
  ['python api', 'fastapi-api'],
  ['fast api template', 'fastapi-api'],
  ['rest api boilerplate', ...APIS],
  ['db migrations', 'sqlite'],
  ['database', 'sqlite'],
  ['login page backend', ...ACCOUNTS],
  ['postgres', 'sqlite'],
  ['users table', ...ACCOUNTS],
  ['hono', 'hono-api'],
  ['typescript server', ...NODE_APIS],
  ['session', ...ACCOUNTS],
  ['password reset', ...ACCOUNTS],
  ['node backend', ...NODE_APIS],
  ['auth for express', 'account'],
  ['sign in', ...ACCOUNTS],
  ['how to add login to hono', 'better-auth'],
  ['expressjs', 'express-api', 'account'],
  ['register users', ...ACCOUNTS],
  ['forgot password', ...ACCOUNTS],
  ['email verification', ...ACCOUNTS],
  ['athentication', ...ACCOUNTS],
  ['pyhton', 'fastapi-api'],
  ['typscript starter', ...NODE_APIS],
  ['storage', 'sqlite'],
  ['embedded sql', 'sqlite'],
  ['node.js rest api', ...NODE_APIS],
  ['dockerfile', ...APIS],
  ['openapi', ...NODE_APIS],
  ['migration', 'sqlite'],
  ['user accounts', ...ACCOUNTS],
  ['skeleton', ...APIS],
  ['scaffold api typescript', ...NODE_APIS],
];

/** Written when the table of synonyms was done, and it was not changed for them. */
export const LATER_QUERIES: readonly ExpectedAnswer[] = [
  ['how do I add users to my express app', 'account'],
  ['token auth', ...ACCOUNTS],
  ['python backend starter', 'fastapi-api'],
  ['postgress', 'sqlite'],
  ['graceful shutdown', ...NODE_APIS],
  ['sql migration tool', 'sqlite'],
  ['logout', ...ACCOUNTS],
  ['verify email address', ...ACCOUNTS],
  ['new express project', 'express-api'],
  ['flask', 'fastapi-api'],
  ['persist data', 'sqlite'],
  ['swagger', ...NODE_APIS],
  ['change password', ...ACCOUNTS],
  ['passwordless login', ...ACCOUNTS],
  ['bcrypt', ...ACCOUNTS],
  ['nodejs api template', ...NODE_APIS],
  ['local database file', 'sqlite'],
  ['loggin', ...ACCOUNTS],
  ['server with docker', ...APIS],
  ['protect routes', ...ACCOUNTS],
];

/** The queries of which a build is not among the first three `ids`. */
export async function unanswered(
  queries: readonly ExpectedAnswer[],
  search: (query: string) => Promise<readonly string[]>,
): Promise<string[]> {
  const missing: string[] = [];
  for (const [query, ...builds] of queries) {
    const first = (await search(query)).slice(0, 3);
    const absent = builds.filter((name) => !first.includes(`stackyard/${name}`));
    if (absent.length > 0) missing.push(`${query}: no ${absent.join(', ')} in ${first.join(', ')}`);
  }
  return missing;
}
