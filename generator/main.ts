/** The program `stackyard-registry`. Most of a short run is compiling modules, so those that load from here on are kept. */
import { keepCompiledModules } from './packaged.ts';

keepCompiledModules();
const { runProgram } = await import('./program.ts');
process.exitCode = await runProgram(process.argv.slice(2));
