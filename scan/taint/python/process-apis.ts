/** Python APIs that start processes and run code. */
import { rows, type ApiTable } from '../api.ts';
import { DECODED, OUTPUT } from '../label.ts';

/** By canonical name. */
export const PROCESS_APIS: ApiTable = new Map([
  ...rows(
    [
      'os.system os.popen os.startfile',
      'subprocess.Popen subprocess.run subprocess.call subprocess.check_call',
      'subprocess.check_output subprocess.getoutput subprocess.getstatusoutput',
      'commands.getoutput pty.spawn asyncio.create_subprocess_shell',
      'asyncio.create_subprocess_exec distutils.spawn.spawn pexpect.spawn sh.bash',
      'win32api.ShellExecute win32api.WinExec',
    ],
    { sink: 'spawn', keyword: 'args', source: OUTPUT, result: '$child' },
  ),
  ...rows(['os.execl os.execle os.execlp os.execv os.execve os.execvp os.spawnl os.spawnv'], {
    sink: 'spawn',
    operand: 0,
  }),
  ...rows(
    [
      'ctypes.windll.kernel32.CreateThread ctypes.windll.kernel32.CreateRemoteThread',
      'ctypes.windll.kernel32.QueueUserAPC ctypes.windll.kernel32.WriteProcessMemory',
      'ctypes.windll.kernel32.RtlMoveMemory ctypes.windll.ntdll.NtCreateThreadEx',
      'ctypes.windll.kernel32.EnumSystemLocalesA',
    ],
    { sink: 'inject' },
  ),
  ...rows(['ctypes.windll.shell32.ShellExecuteW'], { sink: 'spawn', operand: 2 }),
  ...rows(['$child.communicate $child.stdin.write'], {
    sink: 'feed',
    isOnTarget: true,
    source: OUTPUT,
  }),
  ...rows(
    [
      'builtins.exec builtins.eval builtins.execfile runpy.run_path code.interact',
      'pickle.loads pickle.load cPickle.loads dill.loads cloudpickle.loads joblib.load',
      'yaml.unsafe_load types.FunctionType marshal.load',
    ],
    { sink: 'execute' },
  ),
  ...rows(['builtins.compile'], { returns: 0 }),
  ...rows(['types.CodeType'], { returns: 0 }),
  ...rows(['marshal.loads'], { source: DECODED }),
]);
