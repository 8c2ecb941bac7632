// The issuers of OpenID Connect tokens whose CI runs may report: the value of OIDC_ISSUERS.
//
//   [{ "issuer": "https://token.actions.githubusercontent.com", "kind": "github" }]

import { z } from 'zod';

const CiIssuer = z.strictObject({
  issuer: z.string().max(200).refine(isIssuer),
  kind: z.enum(['github', 'gitlab']),
  /** Reports and flags of all repositories of this issuer within a minute. */
  per_minute: z.int().min(1).max(1_000_000).default(600),
});
/** A service of continuous integration whose runs have signed identities. */
export type CiIssuer = z.output<typeof CiIssuer>;

const MAX_ISSUERS = 20;
const CiIssuers = z
  .array(CiIssuer)
  .min(1)
  .max(MAX_ISSUERS)
  .refine((all) => new Set(all.map(({ issuer }) => hostAndPath(issuer))).size === all.length);

const FORM = `use a JSON array of at most ${MAX_ISSUERS} issuers, each once, such as [{ "issuer": "https://token.actions.githubusercontent.com", "kind": "github" }]; kind is "github" or "gitlab", an issuer has no "/" at the end`;

/** Reads OIDC_ISSUERS. The message quotes no value. */
export function readCiIssuers(text: string, context: z.RefinementCtx): CiIssuer[] {
  const result = CiIssuers.safeParse(tryParseJson(text));
  if (result.success) return result.data;
  context.addIssue({ code: 'custom', message: FORM });
  return z.NEVER;
}

/** Whether the issuer is reached without TLS, which is for tests. */
export function isPlainHttp({ issuer }: CiIssuer): boolean {
  return issuer.startsWith('http:');
}

// Plain HTTP on the own machine only: anyone on the way could replace the keys. The text is what tokens must have as
// `iss`, so it is compared with its normal form.
function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, origin, pathname } = new URL(text);
  if (`${origin}${pathname === '/' ? '' : pathname}` !== text || text.endsWith('/')) return false;
  if (!/^[A-Za-z0-9._/-]*$/.test(pathname) || !/^[a-z0-9.-]+$/.test(hostname)) return false;
  const isLoopback = hostname === '127.0.0.1' || hostname === 'localhost';
  return protocol === 'https:' || (protocol === 'http:' && isLoopback);
}

function hostAndPath(issuer: string): string {
  return issuer.replace(/^https?:\/\//, '');
}

function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
