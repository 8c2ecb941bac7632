/** Python APIs that read, write and delete files. */
import { rows, type ApiTable } from '../api.ts';
import { FILE } from '../label.ts';

/** By canonical name. */
export const FILE_APIS: ApiTable = new Map([
  ...rows(
    [
      'builtins.open io.open codecs.open pathlib.Path pathlib.PosixPath aiofiles.open',
      'gzip.open os.open',
    ],
    { result: '$file', sink: 'read', keyword: 'file', source: FILE },
  ),
  ...rows(['$file.read_text $file.read_bytes $file.open'], {
    sink: 'read',
    isOnTarget: true,
    source: FILE,
  }),
  ...rows(['$file.write $file.write_text $file.write_bytes $file.writelines'], {
    sink: 'write',
    isOnTarget: true,
  }),
  ...rows(['$file.unlink $file.rmdir'], { sink: 'delete', isOnTarget: true }),
  ...rows(['os.listdir os.walk os.scandir glob.glob'], { sink: 'read', source: FILE }),
  ...rows(['sqlite3.connect zipfile.ZipFile tarfile.open'], { sink: 'read', source: FILE }),
  ...rows(
    [
      'shutil.copy shutil.copyfile shutil.copy2 shutil.copytree shutil.move',
      'os.rename os.replace os.symlink os.link',
    ],
    { sink: 'write', operand: 1, content: 0 },
  ),
  ...rows(['tempfile.NamedTemporaryFile'], { result: '$file' }),
  ...rows(['io.BytesIO io.StringIO'], { result: '$buffer' }),
  ...rows(
    [
      'winreg.OpenKey winreg.OpenKeyEx winreg.CreateKey winreg.CreateKeyEx _winreg.OpenKey',
      '_winreg.CreateKey',
    ],
    { returns: 1 },
  ),
  ...rows(['winreg.SetValueEx winreg.SetValue _winreg.SetValueEx'], { sink: 'write', content: 4 }),
  ...rows(['os.remove os.unlink os.rmdir os.removedirs', 'shutil.rmtree'], { sink: 'delete' }),
  ...rows(['os.chmod'], { sink: 'chmod' }),
]);
