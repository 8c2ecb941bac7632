// What the environment decides: secret, public address, and with it cookies, trusted origins and the rate limit.

type Environment = Readonly<Record<string, string | undefined>>;

/** A variable that is missing or wrong. */
export type SettingProblem = { readonly name: string; readonly message: string };

/** Hosts hand over the address of a client in this header. They replace whatever the client has sent in it. */
export const ADDRESS_HEADER = 'x-auth-client-address';

const DEVELOPMENT_SECRET = 'for-development-only-4f1c09d27ab85e63';
/** Invitations go to strangers. */
const RULES = { '/organization/invite-member': { window: 3600, max: 20 } };
const LOCAL_HOST = /^(localhost|127\.0\.0\.1|\[::1\])$/;

/** All problems of the variables, for a check before the start. */
export function checkAuthSettings(env: Environment): SettingProblem[] {
  const problems: SettingProblem[] = [];
  const { BETTER_AUTH_SECRET: secret = '', BETTER_AUTH_URL: url = '', BETTER_AUTH_TRUSTED_ORIGINS: others = '' } = env;
  const report = (name: string, message: string) => void problems.push({ name, message });
  if (secret === '' ? !isDevelopment(env) : Buffer.byteLength(secret) < 32) {
    report('BETTER_AUTH_SECRET', 'Expected at least 32 bytes, such as the output of: openssl rand -hex 32');
  }
  if (url === '' ? !isDevelopment(env) : !isOrigin(url)) {
    report('BETTER_AUTH_URL', 'Expected the public address without a path, such as https://app.example.com');
  } else if (url.startsWith('http:') && !isDevelopment(env) && !LOCAL_HOST.test(new URL(url).hostname)) {
    report('BETTER_AUTH_URL', 'Expected https, because the session is in a cookie');
  }
  if (!listOf(others).every((origin) => isOrigin(origin.replace('*', 'any')))) {
    report('BETTER_AUTH_TRUSTED_ORIGINS', 'Expected origins separated by commas, such as https://admin.example.com');
  }
  return problems;
}

/** Options of better-auth, from the environment. Throws with the list of all variables that are wrong. */
export function authSettings(env: Environment) {
  const problems = checkAuthSettings(env);
  if (problems.length > 0) {
    throw new Error(['Invalid variables:', ...problems.map((one) => `${one.name}: ${one.message}`)].join('\n'));
  }
  const baseURL = env['BETTER_AUTH_URL'] || `http://localhost:${env['PORT'] || 3000}`;
  const isLocal = isDevelopment(env);
  return {
    secret: env['BETTER_AUTH_SECRET'] || DEVELOPMENT_SECRET,
    baseURL,
    // In development the pages may come from a server on another port.
    trustedOrigins: [...listOf(env['BETTER_AUTH_TRUSTED_ORIGINS']), ...(isLocal ? ['http://localhost:*'] : [])],
    rateLimit: { enabled: !isLocal, storage: 'database' as const, customRules: RULES },
    advanced: { useSecureCookies: baseURL.startsWith('https:'), ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] } },
    telemetry: { enabled: false },
  };
}

/** Exactly these two: a server whose mode is not set is one that strangers may reach. */
function isDevelopment(env: Environment): boolean {
  return env['NODE_ENV'] === 'development' || env['NODE_ENV'] === 'test';
}

function isOrigin(text: string): boolean {
  return URL.canParse(text) && /^https?:/.test(text) && new URL(text).origin === text.replace(/\/$/, '').toLowerCase();
}

function listOf(text = ''): string[] {
  return text.split(',').flatMap((part) => part.trim() || []);
}
