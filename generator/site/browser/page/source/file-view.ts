/** One file: its lines with numbers to link to, and buttons that copy and save it. */
import type { TarballEntry } from '../../../../../format/archive/tar.ts';
import { bytesText, count, countOf } from '../../../figures.ts';
import { withUnixLines } from '../../../visible-text.ts';
import { type Token, tokenLines } from '../../../code/highlighter.ts';
import { languageOfFile } from '../../../code/language.ts';
import { announce, element } from '../element.ts';
import { visible } from './file-tree.ts';

/** Characters that are shown of a line. */
const MAX_LINE = 2_000;
/** Lines that are drawn at a time, and what the browser lays out at a time. */
const LINES_AT_ONCE = 5_000;
const LINES_OF_PART = 200;

type Range = readonly [first: number, last: number];

const decoder = new TextDecoder('utf-8', { fatal: true });

/** The text of a file; `undefined` for one that is not UTF-8 or holds a NUL. */
export function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/** The lines of a text, of which the last one needs no end. */
export function linesOf(text: string): string[] {
  return withUnixLines(text).replace(/\n$/, '').split('\n');
}

interface DrawnFile {
  readonly box: HTMLElement;
  /** Marks lines and brings the first of them into view. */
  readonly mark: (lines: Range | undefined, isScrolled: boolean) => void;
}

/**
 * @param name of the file in a project, or in the tarball
 * @param hashOf the fragment of the address of lines
 */
export function drawFile(
  file: TarballEntry,
  name: readonly Node[],
  hashOf: (lines: Range) => string,
): DrawnFile {
  const text = textOf(file.bytes);
  const title = element('h2', 'file-name', ...name);
  const facts = element('span', 'file-facts');
  const actions = element('span', 'file-actions');
  const box = element('section', 'file', element('div', 'file-head', title, facts, actions));
  box.setAttribute('aria-label', 'File');
  const size = bytesText(file.bytes.length);
  const executable = file.executable ? ' · executable' : '';
  if (text === undefined) {
    facts.textContent = `${size}${executable}`;
    actions.append(saveButton(file));
    box.append(
      element(
        'p',
        'file-note',
        'This file is not text (UTF-8). Save it, or take it from the tarball.',
      ),
    );
    return { box, mark: () => undefined };
  }
  const lines = linesOf(text);
  const total = text === '' ? 0 : lines.length;
  facts.textContent = `${countOf(total, 'line')} · ${size}${executable}`;
  const code = drawLines(lines, file.path, hashOf);
  actions.append(copyButton(text), saveButton(file));
  box.append(total === 0 ? element('p', 'file-note', 'This file is empty.') : code.box);
  return { box, mark: code.mark };
}

function drawLines(
  lines: readonly string[],
  path: string,
  hashOf: (lines: Range) => string,
): DrawnFile {
  const language = languageOfFile(path);
  const coloured = language === undefined ? undefined : tokenLines(lines.join('\n'), language);
  const code = element('code', '');
  const pre = element('pre', 'code-file', code);
  pre.tabIndex = 0;
  pre.setAttribute('role', 'region');
  pre.setAttribute('aria-label', 'Code');
  const box = element('div', '', pre);
  const more = element('p', 'file-note');
  let drawn = 0;
  let marked: Range | undefined;
  const draw = (upTo: number): void => {
    const end = Math.min(lines.length, upTo);
    while (drawn < end) {
      const part = element('span', 'line-part');
      for (const last = Math.min(end, drawn + LINES_OF_PART); drawn < last; drawn += 1) {
        part.append(drawLine(lines[drawn] ?? '', coloured?.[drawn], drawn + 1, hashOf));
      }
      code.append(part);
    }
    more.remove();
    if (drawn === lines.length) return;
    const button = element(
      'button',
      '',
      `Show the next ${count(Math.min(LINES_AT_ONCE, lines.length - drawn))} lines`,
    );
    button.type = 'button';
    button.addEventListener('click', () => draw(drawn + LINES_AT_ONCE));
    more.replaceChildren(`${count(drawn)} of ${count(lines.length)} lines are shown. `, button);
    box.append(more);
  };
  const numberAt = (line: number): HTMLAnchorElement | undefined =>
    code.children[Math.floor((line - 1) / LINES_OF_PART)]?.children[(line - 1) % LINES_OF_PART]
      ?.firstElementChild as HTMLAnchorElement | undefined;
  const select = (range: Range): void => {
    const hash = hashOf(range);
    // The next key may come before the event of the address.
    mark(range, false);
    if (hash !== location.hash) location.hash = hash;
    announce(range[0] === range[1] ? `Line ${range[0]}` : `Lines ${range[0]} to ${range[1]}`);
  };
  draw(LINES_AT_ONCE);
  // One number at a time is a stop of the tab key; arrows go to the others.
  numberAt(1)?.setAttribute('tabindex', '0');
  code.addEventListener('click', (event) => {
    const line = lineOf(event.target);
    if (line === undefined) return;
    event.preventDefault();
    const from = event.shiftKey ? (marked?.[0] ?? line) : line;
    select([Math.min(from, line), Math.max(from, line)]);
  });
  code.addEventListener('keydown', (event) => {
    const line = lineOf(event.target);
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20 }[event.key];
    if (line === undefined || step === undefined) return;
    event.preventDefault();
    const next = Math.min(drawn, Math.max(1, line + step));
    numberAt(line)?.setAttribute('tabindex', '-1');
    numberAt(next)?.setAttribute('tabindex', '0');
    numberAt(next)?.focus();
    if (!event.shiftKey) return;
    const from = marked?.[0] === line ? marked[1] : (marked?.[0] ?? line);
    select([Math.min(from, next), Math.max(from, next)]);
  });
  const mark: DrawnFile['mark'] = (range, isScrolled) => {
    for (const line of code.querySelectorAll('.line-marked')) line.classList.remove('line-marked');
    marked = range;
    if (range === undefined) return;
    if (range[0] <= lines.length) draw(range[0]);
    for (let line = range[0]; line <= Math.min(range[1], drawn); line += 1) {
      numberAt(line)?.parentElement?.classList.add('line-marked');
    }
    if (isScrolled) numberAt(range[0])?.scrollIntoView({ block: 'center', inline: 'nearest' });
  };
  return { box, mark };
}

function drawLine(
  text: string,
  tokens: readonly Token[] | undefined,
  line: number,
  hashOf: (lines: Range) => string,
): HTMLElement {
  const number = element('a', '', String(line));
  number.href = hashOf([line, line]);
  number.tabIndex = -1;
  number.setAttribute('aria-label', `Line ${line}`);
  const content = element('span', 'line-text', ...coloured(text, tokens), '\n');
  return element('span', 'line', number, content);
}

/** The line as nodes, with colours where there are some; of a very long one the beginning. */
export function coloured(text: string, tokens: readonly Token[] | undefined): (Node | string)[] {
  const rest = text.length - MAX_LINE;
  if (rest > 0) {
    const note = element('span', 'cut', `… ${count(rest)} more characters`);
    return [...visible(text.slice(0, MAX_LINE)), note];
  }
  return (tokens ?? [{ text, kind: undefined }]).flatMap((one) =>
    one.kind === undefined ? visible(one.text) : [element('span', one.kind, ...visible(one.text))],
  );
}

/** The number whose link or line has the focus or was clicked. */
function lineOf(target: EventTarget | null): number | undefined {
  const link = target instanceof Element ? target.closest('.line > a') : null;
  return link === null ? undefined : Number(link.textContent);
}

function copyButton(text: string): HTMLButtonElement {
  const button = element('button', '', 'Copy');
  button.type = 'button';
  button.addEventListener('click', () => {
    void copy(text).then((isCopied) => {
      button.textContent = isCopied ? 'Copied' : 'Use Save';
      announce(
        isCopied ? 'Copied' : 'The browser does not let this page copy: save the file instead',
      );
      setTimeout(() => {
        button.textContent = 'Copy';
      }, 2_000);
    });
  });
  return button;
}

/** Pages without TLS have no clipboard. */
async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** Its type is never the file's own: nothing of a build runs in the origin of the registry. */
function saveButton({ path, bytes }: TarballEntry): HTMLButtonElement {
  const button = element('button', '', 'Save');
  button.type = 'button';
  button.addEventListener('click', () => {
    const type = 'application/octet-stream';
    const link = element('a', '');
    link.href = URL.createObjectURL(new Blob([Uint8Array.from(bytes)], { type }));
    link.download = path.slice(path.lastIndexOf('/') + 1);
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  });
  return button;
}
