// Reads which providers there are from the environment: SOCIAL_<NAME>_CLIENT_ID names one.

export type Environment = Readonly<Record<string, string | undefined>>;

export interface ProviderSettings {
  /** In lower case, as in the routes. */
  readonly name: string;
  /** For a button. */
  readonly label: string;
  /** GitHub has no OpenID Connect: its API tells who somebody is. */
  readonly kind: 'openid' | 'github';
  /** An absolute URL without a slash at the end. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface Settings {
  readonly providers: readonly ProviderSettings[];
  /** Where people open the application: the only place to which they are sent back. */
  readonly appUrl: URL;
}

export interface Problem {
  readonly name: string;
  readonly message: string;
}

const KNOWN: Readonly<Record<string, Pick<ProviderSettings, 'issuer' | 'kind' | 'label'>>> = {
  google: { issuer: 'https://accounts.google.com', kind: 'openid', label: 'Google' },
  github: { issuer: 'https://github.com', kind: 'github', label: 'GitHub' },
};
const DEVELOPMENT_URL = 'http://localhost:3000';
const CLIENT_ID = /^SOCIAL_([A-Z][A-Z0-9]{0,31})_(?:CLIENT_ID|CLIENT_SECRET|ISSUER)$/;

/** The settings, and what is wrong with them. Values are not in the messages: some are secrets. */
export function readSettings(env: Environment): Settings & { readonly problems: readonly Problem[] } {
  // Exactly these modes: a server with any other NODE_ENV, or without one, may be one that strangers can reach.
  const isOpen = env['NODE_ENV'] === 'development' || env['NODE_ENV'] === 'test';
  const problems: Problem[] = [];
  const report = (name: string, message: string): void => void problems.push({ name, message });
  const valueOf = (name: string): string => env[name]?.trim() ?? '';
  const readUrl = (name: string, text: string): URL | undefined => {
    const url = tryParse(text);
    const isSecure = url?.protocol === 'https:' || (url?.protocol === 'http:' && isOpen);
    if (url && isSecure && url.search === '' && url.hash === '') return url;
    report(name, 'use an absolute URL with https, such as "https://app.example.com"; with http only in development');
    return undefined;
  };

  const names = new Set(Object.keys(env).filter((name) => valueOf(name) !== '').flatMap((name) => CLIENT_ID.exec(name)?.[1] ?? []));
  const providers: ProviderSettings[] = [];
  for (const upper of [...names].sort()) {
    const name = upper.toLowerCase();
    const of = (part: string) => `SOCIAL_${upper}_${part}`;
    const known = KNOWN[name];
    for (const part of ['CLIENT_ID', 'CLIENT_SECRET']) if (valueOf(of(part)) === '') report(of(part), 'is not set, unlike the others of this provider');
    const given = valueOf(of('ISSUER'));
    if (given === '' && !known) report(of('ISSUER'), 'is not set: use the issuer of the provider, such as "https://login.example.com"');
    const issuer = given === '' ? known?.issuer : readUrl(of('ISSUER'), given) && given.replace(/\/$/, '');
    const label = valueOf(of('LABEL')) || known?.label || name[0]!.toUpperCase() + name.slice(1);
    providers.push({
      name, label, kind: known?.kind ?? 'openid', issuer: issuer ?? '', clientId: valueOf(of('CLIENT_ID')), clientSecret: valueOf(of('CLIENT_SECRET')),
    });
  }
  const given = valueOf('APP_URL');
  if (given === '' && !isOpen && names.size > 0) report('APP_URL', 'is not set: providers send people back there. Use the address of the application, such as "https://app.example.com"');
  // Without a provider nobody is sent anywhere: other modules may allow http://localhost.
  const appUrl = (given === '' || names.size === 0 ? undefined : readUrl('APP_URL', given)) ?? new URL(DEVELOPMENT_URL);
  return { providers, appUrl, problems };
}

function tryParse(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/** `returnTo` where it is on the own origin, else its start page: nobody is sent elsewhere. Always absolute, because `//host` is another host. */
export function ownUrl(returnTo: string | null | undefined, { origin }: URL): URL {
  const start = new URL('/', origin);
  if (returnTo === null || returnTo === undefined || !returnTo.startsWith('/') || returnTo.length > 2000) return start;
  try {
    const url = new URL(returnTo, start);
    return url.origin === origin ? url : start;
  } catch {
    return start;
  }
}
