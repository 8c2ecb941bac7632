/** JavaScript APIs that start processes, run code and load modules. */
import { rows, type ApiTable } from '../api.ts';
import { OUTPUT } from '../label.ts';

/** By canonical name. */
export const PROCESS_APIS: ApiTable = new Map([
  ...rows(
    [
      'child_process.exec child_process.execSync child_process.spawn child_process.spawnSync',
      'child_process.execFile child_process.execFileSync',
      'Bun.spawn Bun.spawnSync Bun.$ Deno.Command Deno.run WScript.Shell.Run',
    ],
    { sink: 'spawn', source: OUTPUT, result: '$child' },
  ),
  ...rows(['child_process.fork'], { sink: 'spawn', source: OUTPUT, result: '$child' }),
  ...rows(['$child.stdin.write $child.stdin.end'], { sink: 'feed', isOnTarget: true }),
  ...rows(
    [
      'eval execScript $constructor',
      'vm.runInThisContext vm.runInNewContext vm.runInContext vm.compileFunction vm.Script',
    ],
    { sink: 'execute' },
  ),
  ...rows(['Function AsyncFunction GeneratorFunction'], { sink: 'execute', isLast: true }),
  ...rows(['setTimeout setInterval setImmediate'], { sink: 'execute' }),
]);
