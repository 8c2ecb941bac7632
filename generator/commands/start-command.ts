/** Starts a program: most of a short run is compiling modules, so those that are loaded from here on are kept. */
import { keepCompiledModules } from '../pipeline/compile-cache.ts';

interface Command {
  /** Returns the exit status. */
  readonly main: (argv: readonly string[]) => Promise<number>;
}

/** @param load imports the program, after the cache is ready */
export async function startCommand(load: () => Promise<Command>): Promise<void> {
  keepCompiledModules();
  const { main } = await load();
  process.exitCode = await main(process.argv.slice(2));
}
