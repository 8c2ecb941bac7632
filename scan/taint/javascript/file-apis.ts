/** JavaScript APIs that read, write and delete files. */
import { rows, type ApiTable } from '../api.ts';
import { FILE } from '../label.ts';

/** By canonical name. */
export const FILE_APIS: ApiTable = new Map([
  ...rows(
    [
      'fs.readFile fs.readFileSync fs.createReadStream fs.open fs.openSync fs.readJson',
      'fs.readJsonSync fs.readdir fs.readdirSync',
      'Deno.readTextFile Deno.readFile Deno.readTextFileSync Bun.file',
    ],
    { sink: 'read', source: FILE },
  ),
  ...rows(
    [
      'fs.copyFile fs.copyFileSync fs.cp fs.cpSync fs.copy fs.copySync fs.rename',
      'fs.renameSync fs.symlink fs.symlinkSync fs.move fs.moveSync',
    ],
    { sink: 'write', operand: 1, content: 0 },
  ),
  ...rows(
    [
      'fs.writeFile fs.writeFileSync fs.appendFile fs.appendFileSync fs.outputFile',
      'fs.outputFileSync fs.writeJson fs.writeJsonSync',
      'Deno.writeTextFile Deno.writeFile Bun.write',
    ],
    { sink: 'write', content: 1 },
  ),
  ...rows(['fs.createWriteStream'], { sink: 'write', content: 9, result: '$file' }),
  ...rows(['$file.write $file.end'], { sink: 'write', isOnTarget: true }),
  ...rows(
    [
      'fs.rm fs.rmSync fs.rmdir fs.rmdirSync fs.unlink fs.unlinkSync fs.remove fs.removeSync',
      'fs.emptyDir fs.emptyDirSync fs.truncate fs.truncateSync',
      'rimraf del rimraf.sync rimraf.rimraf del.sync',
    ],
    { sink: 'delete' },
  ),
  ...rows(['fs.chmod fs.chmodSync'], { sink: 'chmod' }),
]);
