/** Pickled data that calls `os.system`, `eval` and the like when it is loaded. Read as bytes, never loaded. */
import { finding, type Finding } from '../../../format/finding/finding.ts';
import { ruleOfFiles } from '../../rule.ts';
import type { ScannedFile } from '../../scanned-file.ts';

const MODULES =
  'posix|nt|os|subprocess|builtins|__builtin__|pty|runpy|socket|webbrowser|commands|shutil|importlib|sys';
const FUNCTIONS =
  'system|popen|exec|eval|execfile|compile|__import__|Popen|run|call|check_output|check_call|spawn|execv|execve|run_path|run_code|rmtree|import_module';
/**
 * How a pickle names a function (pickletools): `c` with module and name on lines of their own (GLOBAL), or two
 * short strings before STACK_GLOBAL.
 */
const GLOBAL = new RegExp(`c(${MODULES})\\n(${FUNCTIONS})\\n`);
const STACK_GLOBAL = new RegExp(`\\x8c.(${MODULES})\\x94?\\x8c.(${FUNCTIONS})\\x94?\\x93`, 's');
/** REDUCE, INST, OBJ, NEWOBJ: calls. */
const CALLS = /[Rio\x81\x92]/;
const NAMES = /\.(?:pkl|pickle|p|joblib|dill|pt|pth|bin|ckpt|model|npy|dat|sav)$/i;
/** The calls of a malicious pickle are near the beginning. */
const MAX_READ = 5_000_000;

export const pickledCode = ruleOfFiles('pickled-code', checkFile);

function checkFile({ path, bytes }: ScannedFile): Finding[] {
  if (!NAMES.test(path)) return [];
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, MAX_READ));
  const text = view.toString('latin1');
  const match = GLOBAL.exec(text) ?? STACK_GLOBAL.exec(text);
  if (match === null || !CALLS.test(text.slice(match.index + match[0].length))) return [];
  return [finding('pickled-code', path, { name: `${match[1]}.${match[2]}` })];
}
