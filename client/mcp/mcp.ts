/** `mcp`: serves coding agents over standard input and output until the input ends; with `--json`, describes the server. */
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { StyledText } from '../terminal/styled-text.ts';
import { plainText } from '../terminal/styled-text.ts';
import { describeServer } from './describe-server.ts';
import { makeServer } from './server.ts';
import { chooseProject } from '../project/choose-project.ts';
import type { CommandContext, GlobalOptions, Outcome } from '../terminal/command.ts';

/** @throws {ClientError} `ERR_USAGE`, `ERR_NO_PROJECT`: the project is fixed for the whole session */
export async function mcp(options: GlobalOptions, context: CommandContext): Promise<Outcome> {
  const cwd = chooseProject(options);
  if (options.json) return describeServer(cwd);
  const { terminal } = context;
  // Standard output belongs to the protocol.
  const quiet = {
    ...context,
    terminal: { ...terminal, result: (line: StyledText) => terminal.message(plainText(line)) },
  };
  const place = { cwd, isCwdGiven: true, workspace: undefined };
  const fixed = { ...options, ...place, json: true, quiet: true };
  const { server, idle } = makeServer(fixed, quiet);
  const ended = new Promise<void>((resolve) => {
    server.server.onclose = resolve;
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
    context.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await server.connect(new StdioServerTransport());
  terminal.message(`Serving the project in "${cwd}"`);
  await ended;
  await idle();
  await server.close();
  return { status: 'done', data: {}, text: [] };
}
