/** Files whose content does not match their name: programs named as pictures, pictures that contain scripts. */
import { finding, type Finding } from '../../../format/finding/finding.ts';
import type { FindingLevel } from '../../../format/finding/texts/finding-text.ts';
import { findingIn, ruleOfFiles } from '../../rule.ts';
import type { ScannedFile } from '../../scanned-file.ts';
import { contentGroup, contentType, type ContentType } from '../../text/content-type.ts';
import { extensionOf, fileKind, isMediaPath, isTestPath } from '../../text/file-kind.ts';
import { isIdleFile } from '../../text/idle-file.ts';
import { wordPattern, wordsOf } from '../../parse/word-list.ts';
import { quote } from '../../text/quote.ts';

const TEXT = new Set(
  wordsOf([
    'txt md json yml yaml toml csv xml html css svg js mjs cjs ts tsx jsx py rb lock cfg ini log rst',
  ]),
);
const SCRIPT_IN_SVG = wordPattern(/WORDS/i, {
  'a script': [/<script[\s>]/],
  'code that runs on an event': [/\son(?:load|error|click|mouseover|begin|end)\s{0,5}=/],
  'an address that runs code': [
    /(?:href|src)\s{0,5}=\s{0,5}["']?\s{0,5}(?:javascript:|data:text\/html)/,
  ],
  'another document inside': [/<foreignObject[\s>]/, '<!ENTITY'],
});
/** Pixels and prose have no two of these. */
const CODE = wordPattern(/WORDS/g, {
  JavaScript: [
    /\brequire\s{0,3}\(/,
    /\bfunction\b[\w\s]{0,40}\(/,
    /\bimport\s[^;\n]{1,80}\sfrom\s{0,3}["']/,
    ...wordsOf(['process.env child_process fromCharCode']),
  ],
  Python: [/\bdef\s{1,3}\w{1,40}\s{0,3}\(/, /\bimport\s\w[\w, .]{1,80}\n/, '__import__'],
  both: [/\b(?:eval|exec)\s{0,3}\(/],
  others: ['<?php', /#!\/(?:usr\/)?bin\//, /\|\s{0,3}(?:ba|z)?sh\b/],
});
/** `report.pdf.exe`: Windows hides the last part. */
const FALSE_EXTENSION = wordPattern(
  /\.(?:pdf|docx?|xlsx?|pptx?|png|jpe?g|gif|txt|mp[34]|zip)\s{0,40}\.WORDS$/i,
  {
    programs: ['exe', 'scr', 'com', 'pif', 'msi', 'jar'],
    'scripts and shortcuts that Windows starts': wordsOf(['bat cmd vbs vbe jse wsf hta ps1 lnk']),
  },
);

export const disguisedFile = ruleOfFiles('disguised-file', (file, build) =>
  checkFile(file).map((one) => {
    const isIdle = one.level === 'warn' && isTestPath(one.file) && isIdleFile(build, one.file);
    return isIdle ? { ...one, level: 'info' } : one;
  }),
);

function checkFile(file: ScannedFile): Finding[] {
  const { path, bytes } = file;
  const extension = extensionOf(path);
  const type = contentType(bytes);
  if (FALSE_EXTENSION.test(path)) return [disguise(file, 'a document', 'a program', 'error')];
  if (extension === 'svg') return svgScript(file);
  if (contentGroup(type) === 'binary' && (isMediaPath(path) || TEXT.has(extension))) {
    return [disguise(file, `a .${extension} file`, `a program (${type})`, 'error')];
  }
  if (contentGroup(type) === 'archive' && (isMediaPath(path) || TEXT.has(extension))) {
    return [disguise(file, `a .${extension} file`, `an archive (${type})`, 'warn')];
  }
  if (isMediaPath(path)) return mediaFindings(file, type, extension);
  if (contentGroup(type) === 'media' && fileKind(path) === 'code') {
    return [disguise(file, `a .${extension} file`, `a picture or document (${type})`, 'warn')];
  }
  return [];
}

function disguise(
  { path }: ScannedFile,
  name: string,
  content: string,
  level: FindingLevel,
): Finding {
  return finding('disguised-file', path, { name, content }, level);
}

function mediaFindings(file: ScannedFile, type: ContentType, extension: string): Finding[] {
  const name = `a .${extension} file`;
  if (type === 'script') return [disguise(file, name, 'a script', 'error')];
  const words = Buffer.from(file.bytes).toString('latin1').match(CODE)?.length ?? 0;
  const isText = file.text !== undefined && contentGroup(type) !== 'media';
  if (words >= 2 && type !== 'pdf')
    return [disguise(file, name, isText ? 'code' : 'a picture with code in it', 'error')];
  const hidden = isText ? 'other' : contentGroup(contentType(trailerOf(type, file.bytes)));
  if (hidden === 'binary' || hidden === 'script')
    return [disguise(file, name, 'a picture with a program behind its end', 'error')];
  if (hidden !== 'archive') return [];
  return [disguise(file, name, 'a picture with an archive behind its end', 'warn')];
}

/** The bytes after the last part of a picture; none where the form does not show its end. */
function trailerOf(type: ContentType, bytes: Uint8Array): Uint8Array {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = type === 'png' ? PNG_END : type === 'jpeg' ? JPEG_END : view;
  const at = type === 'png' ? view.indexOf(end) : view.lastIndexOf(end);
  return bytes.subarray(at === -1 ? bytes.length : at + end.length);
}

const PNG_END = Buffer.from('0000000049454e44ae426082', 'hex');
const JPEG_END = Buffer.from('ffd9', 'hex');

function svgScript(file: ScannedFile): Finding[] {
  const match = SCRIPT_IN_SVG.exec(file.text ?? '');
  if (match === null) return [];
  const args = {
    name: 'a picture',
    content: `a document that runs code (${quote(match[0].trim(), 40)})`,
  };
  const level = /script/i.test(match[0]) ? 'warn' : 'info';
  return [findingIn(file, 'disguised-file', args, match.index, match[0].length, level)];
}
