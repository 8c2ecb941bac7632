/** The Python programs of this machine: `python3` and `python3.8` to `python3.30` on the PATH, one for each minor version. */
import { compareTagVersions } from '../../format/version/tag-version.ts';
import { runProgram } from './run-program.ts';

const MINORS = Array.from({ length: 23 }, (_, at) => `python3.${at + 8}`);
const SCRIPT = 'import sys; print("%d.%d.%d" % sys.version_info[:3]); print(sys.executable)';
const TIMEOUT_MS = 20_000;

/** Version to absolute path, lowest first. */
export async function findPythons(env: NodeJS.ProcessEnv): Promise<Map<string, string>> {
  const found = new Map<string, [version: string, program: string]>();
  for (const name of ['python3', ...MINORS]) {
    const options = { cwd: process.cwd(), env };
    const { isOk, stdout } = await runProgram(name, ['-c', SCRIPT], options, TIMEOUT_MS);
    const [version = '', program = ''] = stdout.split(/\r?\n/);
    const minor = version.split('.', 2).join('.');
    if (isOk && program !== '' && !found.has(minor)) found.set(minor, [version, program]);
  }
  return new Map([...found.values()].sort(([a], [b]) => compareTagVersions(a, b)));
}
