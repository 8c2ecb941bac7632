/**
 * A repository whose CI runs sign reports and flags by OpenID Connect:
 *
 *     ci:token.actions.githubusercontent.com:123456
 *     ci:git.example.org/group:42
 */
import { z } from 'zod';

/** The numeric ids of a run at its code host: who owns the repository, and who started the run. */
export const CiOrigin = z.strictObject({
  owner: z.string().regex(/^[1-9]\d{0,17}$/),
  actor: z.string().regex(/^[1-9]\d{0,17}$/),
});
export type CiOrigin = z.infer<typeof CiOrigin>;

/** The account of a repository, as reports and flags name it. @param issuer an address without a final slash */
export function ciAccount(issuer: string, repositoryId: string): string {
  return `ci:${issuer.replace(/^https?:\/\//, '')}:${repositoryId}`;
}

/** The issuer of an account of `ciAccount`, without its scheme; `undefined` for an account of another kind. */
export function ciIssuer(account: string): string | undefined {
  return account.startsWith('ci:') ? account.slice(3, account.lastIndexOf(':')) : undefined;
}
