/** A tool of the Model Context Protocol server: a thin adapter of a command. */
import type { z } from 'zod';
import type { CommandContext, GlobalOptions, Outcome } from '../terminal/command.ts';

export interface ToolContext extends CommandContext {
  /** The options of the server: project and registry are chosen when it starts. */
  readonly options: GlobalOptions;
}

export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  /** The schema of the tool's data. */
  readonly data: z.ZodType;
  /** Whether it may change the project. */
  readonly isChanging: boolean;
  readonly run: (input: z.infer<Input>, context: ToolContext) => Promise<Outcome>;
}

/** `tool`, with its input typed by its schema. */
export function defineTool<Input extends z.ZodObject>(tool: Tool<Input>): Tool {
  // The server parses the input with this schema before it runs the tool.
  return tool as unknown as Tool;
}
