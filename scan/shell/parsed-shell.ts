/** The types of parsed shell text: pipelines, commands and words. See `parse-shell.ts`. */

export interface Word {
  /** Without its quotes, `$(...)` left out. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Scripts in `$(...)`, backticks and `<(...)`. */
  readonly scripts: readonly Script[];
}

interface Redirect {
  readonly operator: string;
  readonly target: Word;
}

export interface ShellCommand {
  readonly words: readonly Word[];
  readonly redirects: readonly Redirect[];
  /** The content of a group or subshell. */
  readonly body: Script | undefined;
  readonly start: number;
  readonly end: number;
}

/** Commands, each reading what the one before writes. */
export type Pipeline = readonly ShellCommand[];
export type Script = readonly Pipeline[];
