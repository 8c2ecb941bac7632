/** `mcp`: serves coding agents over standard input and output until the input ends; with `--json`, describes the server. */
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';
import { plainText, type StyledText } from '../terminal/styled-text.ts';
import { define, type RunContext } from '../terminal/options.ts';
import { VERSION } from '../program.ts';
import { askNobody } from '../terminal/ask.ts';
import { describeTools, makeServer } from './server.ts';
import { chooseProject } from '../project/choose-project.ts';
import type { GlobalOptions, Outcome } from '../terminal/command.ts';

/** @throws {ClientError} `ERR_USAGE`, `ERR_NO_PROJECT`: the folder is fixed for the whole session */
async function mcp(options: GlobalOptions, context: RunContext): Promise<Outcome> {
  // A project may be started in it.
  const cwd = chooseProject({ ...options, isAnyFolder: true });
  if (options.json) {
    const command = ['stackyard', 'mcp', '-C', cwd];
    const server = { name: 'stackyard', version: VERSION, transport: 'stdio', command };
    return { status: 'done', data: { ...server, tools: describeTools() }, text: [] };
  }
  const { terminal } = context;
  // Standard output belongs to the protocol.
  const quiet = {
    ...context,
    from: cwd,
    canAsk: false,
    ask: askNobody,
    terminal: { ...terminal, result: (line: StyledText) => terminal.message(plainText(line)) },
  };
  const place = { cwd, isCwdGiven: true, workspace: undefined };
  const fixed = { ...options, ...place, json: true, quiet: true };
  const { server, idle } = makeServer(fixed, quiet);
  const ended = new Promise<void>((resolve) => {
    server.onclose = resolve;
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

export const command = define({
  description:
    'Serves coding agents over standard input and output, by the Model Context Protocol, for the project in this folder alone',
  input: z.object({}),
  output: z.looseObject({
    command: z.array(z.string()).describe('Starts the server.'),
    tools: z.array(z.looseObject({ name: z.string(), description: z.string() })),
  }),
  examples: ['mcp -C my-app'],
  run: (_input, shared, context) => mcp(shared, context),
});
