/**
 * An account at the code host, as owner files and the registry's configuration name it:
 *
 *     "bob"      { "login": "bob", "account_id": 123 }
 *
 * The second form survives a renamed login: the next user of the freed login has another id. The first form
 * proves nothing about a person.
 */
import { z } from 'zod';

/** Those of GitHub have neither dot nor underscore; those of Gitea, Forgejo and GitLab may. */
const LOGIN = String.raw`[A-Za-z0-9_](?:[A-Za-z0-9._-]{0,98}[A-Za-z0-9_-])?`;
const Login = z.string().regex(new RegExp(`^${LOGIN}$`));

/** A login as events of the code host have it: accounts of programs are called such as "dependabot[bot]". */
export const EVENT_LOGIN: RegExp = new RegExp(String.raw`^${LOGIN}(?:\[bot\])?$`);

export const NumberedAccount = z.strictObject({
  login: Login,
  account_id: z.int().positive().describe('Numeric account; survives a rename.'),
});
export const Account = z.union([Login, NumberedAccount]);
export type Account = z.infer<typeof Account>;

/** Who did something, from the code host's event. */
export interface Person {
  readonly login: string;
  readonly id: number;
}

/** Whether `account` is `person` by login and id; logins are the same in upper and lower case. */
export function isAccountOf(account: Account, person: Person): boolean {
  if (typeof account === 'string') return false;
  return isLogin(account.login, person.login) && account.account_id === person.id;
}

/** Whether `account` names `person` by a login alone, which anybody may hold one day. */
export function isBareLoginOf(account: Account, person: Person): boolean {
  return typeof account === 'string' && isLogin(account, person.login);
}

/** The command that prints the numeric id of an account at the code host. */
export function accountIdCommand(login: string): string {
  return `gh api users/${login} --jq .id`;
}

function isLogin(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
