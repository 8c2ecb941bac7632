/** Programs for the script host of Windows: `ActiveXObject`, `WScript`, VBScript. Packages have no use for them. */
import type { Finding } from '../../../format/finding/finding.ts';
import { findingIn, ruleOfFiles } from '../../rule.ts';
import type { ScannedFile } from '../../scanned-file.ts';
import { extensionOf, isTestPath } from '../../text/file-kind.ts';
import { wordPattern } from '../../parse/word-list.ts';

const EXTENSIONS = new Set(['js', 'cjs', 'mjs', 'jse', 'ts', 'vbs', 'vbe', 'wsf', 'hta', 'sct']);
/** Objects that start programs, and code for Windows only. Old browsers offered others to pages, such as `Microsoft.XMLHTTP`. */
const STARTS = wordPattern(/WORDS/i, {
  'by their names': [
    /\b(?:new\s{1,9}ActiveXObject|(?:WScript\s{0,3}\.\s{0,3})?CreateObject)\s{0,3}\(\s{0,3}\\?["'`](?:WScript\.Shell|Shell\.Application|WbemScripting\.SWbemLocator)\\?["'`]/,
  ],
  'by names in parts': [
    /\bWScript\s{0,3}(?:\[|\.\s{0,3}(?:CreateObject|Sleep|Quit|ScriptFullName)\b)|["']WScript["']|["']WScript\.?["']\s{0,3}\+/,
  ],
  'conditional compilation': [/\/\*@cc_on\s{0,9}(?:@if\s{0,3}\(@_(?:win|jscript)|var\s)/],
});
/** Objects that fetch, or write bytes to disk. */
const FETCHES = wordPattern(/WORDS/i, {
  'HTTP, and streams of bytes': ['XMLHTTP', 'WinHttp.WinHttpRequest', 'ADODB.Stream'],
  'programs that fetch': ['powershell', 'bitsadmin', 'certutil', 'mshta', /\bcurl\b/],
});
const RUNS = /\.\s{0,3}(?:Run|Exec|ShellExecute|Create)\s{0,3}[("' ]/i;

export const windowsScript = ruleOfFiles('windows-script', checkFile);

function checkFile(file: ScannedFile): Finding[] {
  if (!EXTENSIONS.has(extensionOf(file.path))) return [];
  const { text = '' } = file;
  const match = STARTS.exec(text);
  if (match === null) return [];
  const isDropper = FETCHES.test(text) && RUNS.test(text);
  const level = isTestPath(file.path) ? 'info' : isDropper ? 'error' : 'warn';
  const does = isDropper ? 'fetches and starts programs' : 'can start programs';
  return [findingIn(file, 'windows-script', { does }, match.index, match[0].length, level)];
}
