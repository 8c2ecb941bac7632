/** The difference of two versions: what the code can do now, then the files. */
import type { TarballEntry } from '../../../../../format/archive/tar.ts';
import {
  ANY_OTHER,
  capabilitiesBeyond,
  capabilityLines,
  type CapabilityLine,
  type CapabilityLists,
} from '../../../../../format/index/capabilities.ts';
import { type Token, tokenLines } from '../../../code/highlighter.ts';
import { languageOfFile } from '../../../code/language.ts';
import { countOf } from '../../../figures.ts';
import { type ChangedFile, changedFiles, differenceOf, type FileDifference } from './changes.ts';
import { element } from '../element.ts';
import { visible } from './file-tree.ts';
import { coloured, linesOf, textOf } from './file-view.ts';
import type { VersionSource } from './load-build.ts';

/** One side of the comparison. */
interface ComparedVersion {
  readonly version: string;
  readonly source: VersionSource;
  /** `undefined` where the document cannot be read. */
  readonly capabilities: CapabilityLists | undefined;
}

/** Lines of files that are open at first; the others open when a visitor asks. */
const MAX_OPEN_LINES = 4_000;
/** How long files are compared before the page answers the visitor again. */
const SLICE_MS = 30;

/** @param addressOf the address of the page that shows a file of the newer version, or of the older one where it was removed */
export function drawChanges(
  before: ComparedVersion,
  after: ComparedVersion,
  addressOf: (change: ChangedFile) => string,
): {
  readonly list: HTMLElement;
  readonly box: HTMLElement;
  readonly show: (path: string) => void;
} {
  const changes = changedFiles(before.source.files, after.source.files);
  const sums = { added: 0, removed: 0, open: 0 };
  const total = element('p', 'lead');
  const showTotal = (): void => {
    const lines = changes.length === 0 ? [] : [', ', plus(sums.added), ' ', minus(sums.removed)];
    total.replaceChildren(`${countOf(changes.length, 'file')} changed`, ...lines);
  };
  showTotal();
  const rows = changes.map((change) => drawChange(change, addressOf(change)));
  const box = element(
    'div',
    'changes',
    total,
    element('h2', '', 'Capabilities'),
    ...drawCapabilities(before, after),
    element('h2', '', 'Files'),
    ...(rows.length === 0 ? [element('p', 'quiet', 'No file changed.')] : []),
  );
  const list = element(
    'div',
    'tree',
    element('p', 'tree-lead', `${countOf(changes.length, 'file')} changed`),
    element('ul', 'changed-files', ...rows.map((row) => row.item)),
  );
  const compared = compareAll();
  return {
    list,
    box,
    show: (path) => {
      const row = rows.find(({ change }) => change.path === path);
      if (row === undefined) return;
      void compared.then(() => {
        row.open();
        row.box.scrollIntoView({ block: 'start' });
      });
    },
  };

  /**
   * In slices, so that the page answers while large files are compared. A file is drawn after it was compared, below the
   * others: nothing that a visitor reads moves.
   */
  async function compareAll(): Promise<void> {
    let until = performance.now() + SLICE_MS;
    for (const row of rows) {
      const { added, removed, lines = [] } = row.compare();
      sums.added += added;
      sums.removed += removed;
      if (sums.open + lines.length <= MAX_OPEN_LINES) {
        sums.open += lines.length;
        row.open();
      }
      box.append(row.box);
      if (performance.now() < until) continue;
      showTotal();
      await new Promise((resolve) => setTimeout(resolve));
      until = performance.now() + SLICE_MS;
    }
    showTotal();
    box.dataset['compared'] = '';
  }
}

function drawChange(change: ChangedFile, address: string) {
  const { path, kind } = change;
  const counts = element('span', 'counts', kind);
  const inList = element('span', 'counts', kind);
  const jump = element('a', '', element('bdi', '', ...visible(path)));
  jump.href = `#${path.split('/').map(encodeURIComponent).join('/')}`;
  const item = element('li', '', jump, inList);
  const view = element('a', '', 'View file');
  view.href = address;
  view.setAttribute('aria-label', `View file ${path}`);
  const name = element('h3', 'file-name', element('bdi', '', ...visible(path)));
  const summary = element('summary', 'file-head', name, counts);
  const box = element('details', 'diff', summary);
  let known: FileDifference | undefined;
  const compare = (): FileDifference => {
    if (known !== undefined) return known;
    known = differenceOf(change);
    const { added, removed, lines } = known;
    if (lines === undefined) return known;
    for (const place of [counts, inList]) {
      const word = kind === 'changed' ? [] : [`${kind} `];
      place.replaceChildren(...word, plus(added), ' ', minus(removed));
    }
    return known;
  };
  const fill = (): void => {
    if (box.childElementCount > 1) return;
    const { lines, note } = compare();
    const actions = element(
      'p',
      'file-note',
      note === undefined ? '' : `Not shown: ${note}. `,
      view,
    );
    box.append(...(lines === undefined ? [] : [drawLines(change, lines)]), actions);
  };
  const open = (): void => {
    fill();
    box.open = true;
  };
  box.addEventListener('toggle', () => {
    if (box.open) fill();
  });
  return { change, item, box, compare, open };
}

function drawLines(change: ChangedFile, lines: NonNullable<FileDifference['lines']>): HTMLElement {
  const [before, after] = [tokensOf(change.before), tokensOf(change.after)];
  const code = element('code', '');
  for (const { sign, text, ...at } of lines) {
    const names = { '+': 'ins', '-': 'del', ' ': 'span', '@': 'span' } as const;
    const tokens = sign === '-' ? before?.[(at.before ?? 0) - 1] : after?.[(at.after ?? 0) - 1];
    const kind = sign === '@' ? 'hunk' : sign === ' ' ? 'same' : '';
    const line = element(names[sign], kind);
    if (sign !== '@') {
      const number = (value: number | undefined) => element('span', 'number', String(value ?? ''));
      line.append(number(at.before), number(at.after), element('b', '', sign));
    }
    line.append(element('span', 'line-text', ...coloured(text, tokens)), '\n');
    code.append(line);
  }
  const pre = element('pre', '', code);
  pre.tabIndex = 0;
  pre.setAttribute('role', 'region');
  pre.setAttribute('aria-label', `Changes of ${change.path}`);
  return pre;
}

function tokensOf(file: TarballEntry | undefined): Token[][] | undefined {
  const language = file && languageOfFile(file.path);
  const text = file && textOf(file.bytes);
  if (language === undefined || text === undefined) return undefined;
  return tokenLines(linesOf(text).join('\n'), language);
}

function drawCapabilities(before: ComparedVersion, after: ComparedVersion): HTMLElement[] {
  const [old, now] = [before.capabilities, after.capabilities];
  if (old === undefined || now === undefined) {
    const of = (old === undefined ? before : after).version;
    return [element('p', 'note note-warn', `What the code of ${of} can do is not known here.`)];
  }
  const gained = capabilityLines(capabilitiesBeyond(now, old));
  const lost = capabilityLines(capabilitiesBeyond(old, now));
  if (gained.length + lost.length === 0) {
    return [
      element('p', 'quiet', 'No new capabilities found (network, files, processes, variables).'),
    ];
  }
  const note = (lines: CapabilityLine[], title: string, className: string): HTMLElement[] => {
    if (lines.length === 0) return [];
    const list = element('ul', 'capabilities', ...lines.map(drawCapability));
    return [element('div', className, element('strong', '', title), list)];
  };
  return [
    ...note(gained, `New in ${after.version}`, 'note note-warn'),
    ...note(lost, `No longer in ${after.version}`, 'note'),
  ];
}

function drawCapability({ does, names, more }: CapabilityLine): HTMLElement {
  const what = names.flatMap((name, at) => [
    at === 0 ? '' : ', ',
    name === ANY_OTHER ? name : element('code', '', ...visible(name)),
  ]);
  const rest = more > 0 ? ` and ${more} more` : '';
  return element('li', '', element('span', '', does), element('span', '', ...what, rest));
}

function plus(value: number): HTMLElement {
  return element('span', 'added', `+${value}`);
}

function minus(value: number): HTMLElement {
  return element('span', 'removed', `−${value}`);
}
