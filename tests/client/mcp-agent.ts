/**
 * An agent without a model: it calls what `tools/list` offers and what the list "next" of each answer names, and knows nothing else of
 * Stackyard. Its user agrees to everything.
 */
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';

interface Step {
  readonly why: string;
  readonly command: string;
  readonly tool?: string;
  readonly input?: Record<string, unknown>;
}

export interface Reached {
  /** The calls, in order. */
  readonly calls: readonly string[];
  /** The last answer of a tool that changes the project. */
  readonly answer: Record<string, any>;
  /** What a shell is left to do. */
  readonly commands: readonly string[];
}

const MAX_CALLS = 20;

/** @param want the tag to provide, which the description of "search" mentions @param start how a new project is planned, if there is none */
export async function reach(
  client: Client,
  want: string,
  start?: Record<string, unknown>,
): Promise<Reached> {
  const { tools } = await client.listTools();
  const changing = tools
    .filter(({ annotations }) => annotations?.readOnlyHint === false)
    .map(({ name }) => name);
  const calls: string[] = [];
  const call = async (
    tool: string,
    input: Record<string, unknown>,
  ): Promise<Record<string, any>> => {
    calls.push(`${tool} ${Object.keys(input).join(' ')}`.trim());
    const { structuredContent } = await client.callTool(
      { name: tool, arguments: input },
      undefined,
      { timeout: 600_000 },
    );
    return structuredContent as Record<string, any>;
  };
  let answer: Record<string, any>;
  if (start === undefined) {
    const found = await call('search', { words: [`provides:${want}`], fits: true });
    answer = found;
    // As the description of "plan" chooses.
    let best: readonly [requests: number, variables: number] = [-1, 0];
    type Found = { readonly id: string; readonly deprecated: boolean };
    for (const { id, deprecated } of found['data'].builds as Found[]) {
      if (deprecated) continue;
      const planned = await call('plan', { action: 'add', builds: [id], wire: true });
      const variables = (planned['data']?.plan?.env ?? []) as { readonly required: boolean }[];
      const required = variables.filter((one) => one.required).length;
      const requests: number = planned['ok'] === true ? (planned['data'].prove?.requests ?? 0) : -1;
      if (requests < best[0] || (requests === best[0] && required >= best[1])) continue;
      best = [requests, required];
      answer = planned;
    }
  } else {
    const found = await call('search', {
      words: ['kind:foundation', ...(start['words'] as string[])],
    });
    const { words: _, ...rest } = start;
    answer = await call('plan', { action: 'new', foundation: found['data'].builds[0].id, ...rest });
  }
  let changed: Record<string, any> | undefined;
  while (changed === undefined && calls.length < MAX_CALLS) {
    const [step] = ((answer['next'] ?? []) as Step[]).filter(({ tool }) => tool !== undefined);
    if (step?.tool === undefined) return { calls, answer, commands: [] };
    answer = await call(step.tool, step.input ?? {});
    if (changing.includes(step.tool)) changed = answer;
  }
  const left = ((answer['next'] ?? []) as Step[]).filter(({ tool }) => tool === undefined);
  return { calls, answer: changed ?? answer, commands: left.map(({ command }) => command) };
}
