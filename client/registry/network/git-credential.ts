/**
 * Asks `git credential`, which asks the helpers of the user (git-credential(1)), without a terminal or a prompt:
 *
 *     protocol=https
 *     host=registry.example:8443
 *                                        -> username=alice
 *                                           password=...
 */
import { homedir } from 'node:os';
import { HEADERS_VARIABLE } from '../../../format/registry/registry-headers.ts';
import { isOnPath } from '../../project/find-program.ts';

const MAX_ANSWER_BYTES = 65_536;

/** What a source has for an address. */
export interface Login {
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  /** A scheme and what follows it, instead of the two. */
  readonly authtype?: string | undefined;
  readonly credential?: string | undefined;
}

/** A request to git, about the registry at an address. */
export interface GitAsking {
  readonly url: URL;
  /** The schemes that the registry offers, as `WWW-Authenticate` has them. */
  readonly wanted: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** The credential that git has, or why it has none; never what it printed. */
export async function fillCredential(asking: GitAsking): Promise<Login | string> {
  const answer = await ask('fill', asking, {});
  if ('problem' in answer) return answer.problem;
  const { url } = asking;
  const found = new Map(
    answer.text.split(/\r?\n/).flatMap((line): [string, string][] => {
      const [, key, value] = /^([a-z_]+)=(.*)$/.exec(line) ?? [];
      return key === undefined || value === undefined ? [] : [[key, value]];
    }),
  );
  // What is for another address must not be sent to this one.
  const [host, protocol] = [found.get('host') ?? url.host, found.get('protocol')];
  const own = url.protocol.slice(0, -1);
  if (host !== url.host || (protocol ?? own) !== own) return 'its answer is for another address';
  const [username, password] = [found.get('username'), found.get('password')];
  const [authtype, credential] = [found.get('authtype'), found.get('credential')];
  return (password ?? credential) === undefined
    ? 'nothing for it'
    : { username, password, authtype, credential };
}

/** Tells git whether the registry accepted what it gave. */
export async function tellGit(isAccepted: boolean, asking: GitAsking, login: Login): Promise<void> {
  await ask(isAccepted ? 'approve' : 'reject', asking, login);
}

/** In the home of the user: the configuration of git in a project could name a program. */
async function ask(
  action: 'fill' | 'approve' | 'reject',
  { url, wanted, env, timeoutMs, signal }: GitAsking,
  login: Login,
): Promise<{ readonly text: string } | { readonly problem: string }> {
  if (!isOnPath('git')) return { problem: 'not installed' };
  const sent = { protocol: url.protocol.slice(0, -1), host: url.host, ...login };
  const lines = Object.entries(sent).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}=${value}`],
  );
  const offers = wanted.slice(0, 5).map((one) => `wwwauth[]=${one.slice(0, 400)}`);
  const input = ['capability[]=authtype', ...lines, ...offers].join('\n');
  // Most registries are public.
  const { runProgram } = await import('../../project/start-program.ts');
  const ran = await runProgram('git', ['credential', action], {
    cwd: homedir(),
    env: silentEnvironment(env),
    input: `${input}\n\n`,
    timeoutMs,
    maxBytes: MAX_ANSWER_BYTES,
    signal,
  });
  if ('problem' in ran) return ran;
  return ran.status === 0 ? { text: ran.stdout } : { problem: 'nothing for it' };
}

/** The environment for programs that must not ask, and that the caller's own git must not direct. */
export function silentEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => {
    return !/^(?:GIT_(?!CONFIG|SSH)|SSH_ASKPASS)/.test(name) && name !== HEADERS_VARIABLE;
  });
  const silent = { GIT_TERMINAL_PROMPT: '0', GIT_ASKPASS: '', GCM_INTERACTIVE: 'never' };
  return { ...Object.fromEntries(kept), ...silent };
}
