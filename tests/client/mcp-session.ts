/** A session with `stackyard mcp`, by the client of the protocol's own SDK. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from '../generate/git-fixture.ts';
import { MAIN } from './client-process.ts';

export interface Answer {
  readonly ok: boolean;
  readonly status: string;
  readonly data?: Record<string, any>;
  readonly error?: { readonly code: string; readonly message: string; readonly hint: string };
  readonly truncated: readonly string[];
  readonly isError: boolean;
  readonly text: string;
}

export class Session {
  readonly client = new Client({ name: 'test', version: '1.0.0' });
  stderr = '';

  /** @param variables on top of those of a user who has set none */
  static async open(
    project: string,
    url: string,
    variables: NodeJS.ProcessEnv = {},
  ): Promise<Session> {
    const session = new Session();
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [MAIN, 'mcp', '-C', project, '--registry', url],
      env: {
        PATH: process.env['PATH'] ?? '',
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
        NO_COLOR: '1',
        STACKYARD_CACHE: temporaryFolder(),
        STACKYARD_STATE: temporaryFolder(),
        ...(variables as Record<string, string>),
      },
      stderr: 'pipe',
    });
    transport.stderr?.on('data', (chunk: Buffer) => (session.stderr += chunk.toString()));
    await session.client.connect(transport);
    onTestFinished(() => session.client.close());
    return session;
  }

  async call(name: string, args: Record<string, unknown> = {}): Promise<Answer> {
    const result = await this.client.callTool({ name, arguments: args });
    const [content] = result.content as [{ text: string }];
    const structured = result.structuredContent as object;
    return { ...structured, isError: result.isError, text: content.text } as unknown as Answer;
  }
}
