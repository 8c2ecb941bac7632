/** The first command of a guide that did not do what it should, with what it wrote, from the output of `verify --guides`. */
import type { ProgramResult } from './run-program.ts';

interface Verified {
  readonly data?: {
    readonly tests?: readonly { readonly command: string; readonly status: number }[];
    readonly differences?: readonly { readonly path: string; readonly state: string }[];
  };
}

/** The client announces each command as `<build>: <command>` on standard error; the output of a failed one follows. */
export function failedCheck({ stdout, stderr }: Omit<ProgramResult, 'isOk'>): string {
  let verified: Verified;
  try {
    verified = JSON.parse(stdout) as Verified;
  } catch {
    return stderr;
  }
  const { tests = [], differences = [] } = verified.data ?? {};
  const failed = tests.find(({ status }) => status !== 0);
  if (failed === undefined) {
    const paths = differences.map(({ path, state }) => `Error: ${path} is ${state}`);
    return paths.length === 0 ? stderr : paths.join('\n');
  }
  const lines = stderr.split('\n');
  const isNote = (line: string): boolean =>
    tests.some(({ command }) => line.endsWith(`: ${command}`) && /^[a-z0-9-]+\//.test(line));
  const at = lines.findIndex((line) => isNote(line) && line.endsWith(`: ${failed.command}`));
  const rest = lines.slice(at + 1);
  const end = rest.findIndex(isNote);
  const output = at < 0 ? [] : rest.slice(0, end < 0 ? undefined : end);
  return [`${failed.command} ended with status ${failed.status}`, ...output].join('\n');
}
