/** `mcp --json`: the tools of the server as a document, without starting it. */
import { z } from 'zod';
import type { Outcome } from '../terminal/command.ts';
import { VERSION } from '../version.ts';
import { TOOLS } from './server.ts';

/** @param cwd absolute path of the project that would be served */
export function describeServer(cwd: string): Outcome {
  const tools = TOOLS.map(({ name, title, description, isChanging, input }) => {
    return { name, title, description, changes: isChanging, input: schemaOf(input) };
  });
  const command = ['stackyard', 'mcp', '-C', cwd];
  const data = { name: 'stackyard', version: VERSION, transport: 'stdio', command, tools };
  return { status: 'done', data, text: [] };
}

function schemaOf(input: z.ZodType): unknown {
  return JSON.parse(JSON.stringify(z.toJSONSchema(input, { io: 'input' })));
}
