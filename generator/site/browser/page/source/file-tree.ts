/** The files of a version as a tree of the places where installing puts them, and those that are not installed. */
import { compareText } from '../../../../../format/compare-text.ts';
import { bytesText, countOf } from '../../../figures.ts';
import { replaceHidden } from '../../../visible-text.ts';
import { element } from '../element.ts';
import type { VersionSource } from './load-build.ts';

interface ListedFile {
  /** Within the build. */
  readonly path: string;
  /** In a project; `undefined` for a file that is not installed. */
  readonly destination: string | undefined;
  readonly size: number;
}

/** A folder; chains of folders with nothing else in them are one. */
export interface Folder {
  readonly name: string;
  readonly folders: readonly Folder[];
  /** Sorted by name. */
  readonly files: readonly ListedFile[];
}

/** Above it, only the folders of the chosen file are open. */
const MAX_OPEN = 200;
/** With fewer files there is no field that filters. */
const MIN_FILTERED = 15;
const MAX_FOUND = 200;

/** The files in the order of their paths, with their destinations. */
export function listFiles({ files, base, installed }: VersionSource): ListedFile[] {
  return files
    .map(({ path, bytes }) => ({
      path,
      destination: installed.has(path) ? (base === '' ? path : `${base}/${path}`) : undefined,
      size: bytes.length,
    }))
    .sort((a, b) => compareText(shownPath(a), shownPath(b)));
}

/** Where the file is in a project, or in the tarball. */
export function shownPath({ path, destination }: ListedFile): string {
  return destination ?? path;
}

/** @param files each at `shownPath` */
export function treeOf(files: readonly ListedFile[]): Folder {
  interface Open {
    readonly folders: Map<string, Open>;
    readonly files: ListedFile[];
  }
  const open = (): Open => ({ folders: new Map(), files: [] });
  const root = open();
  for (const file of files) {
    let folder = root;
    for (const name of shownPath(file).split('/').slice(0, -1)) {
      const next = folder.folders.get(name) ?? open();
      folder.folders.set(name, next);
      folder = next;
    }
    folder.files.push(file);
  }
  const closed = (name: string, folder: Open): Folder => {
    const [only, ...others] = folder.folders;
    const isChain = name !== '' && folder.files.length === 0 && others.length === 0;
    if (isChain && only !== undefined) return closed(`${name}/${only[0]}`, only[1]);
    const folders = [...folder.folders]
      .sort(([a], [b]) => compareText(a, b))
      .map(([one, inside]) => closed(one, inside));
    return { name, folders, files: folder.files };
  };
  return closed('', root);
}

/** The file that is shown when the address names none: an entry of the code, else the README, else the first one. */
export function firstFile(files: readonly ListedFile[]): ListedFile | undefined {
  const depth = ({ path }: ListedFile): number => path.split('/').length;
  const named = (pattern: RegExp): ListedFile | undefined =>
    files
      .filter(({ path, destination }) => destination !== undefined && pattern.test(path))
      .sort((a, b) => depth(a) - depth(b))[0];
  return (
    named(/(?:^|\/)(?:index|main|__init__|app)\.(?:[mc]?[jt]sx?|py)$/) ??
    files.find(({ path }) => path === 'README.md') ??
    files[0]
  );
}

/** A tree on the page; `mark` shows which file is chosen. */
interface DrawnTree {
  readonly box: HTMLElement;
  readonly mark: (path: string | undefined) => void;
}

/** @param addressOf the address of the page that shows a file */
export function drawTree(source: VersionSource, addressOf: (file: string) => string): DrawnTree {
  const files = listFiles(source);
  const placed = files.filter(({ destination }) => destination !== undefined);
  const others = files.filter(({ destination }) => destination === undefined);
  const isOpen = files.length <= MAX_OPEN;
  const links = new Map<string, HTMLAnchorElement>();
  const row = (file: ListedFile, name: string): HTMLLIElement => {
    const link = element('a', 'tree-file', element('bdi', '', ...visible(name)));
    link.href = addressOf(file.path);
    const size = element('span', 'tree-size', bytesText(file.size));
    if (!links.has(file.path)) links.set(file.path, link);
    return element('li', '', link, size);
  };
  const list = ({ folders, files: own }: Folder): HTMLUListElement =>
    element(
      'ul',
      '',
      ...folders.map((folder) => {
        const summary = element('summary', '', element('bdi', '', ...visible(folder.name)));
        const box = element('details', '', summary, list(folder));
        box.open = isOpen;
        return element('li', 'tree-folder', box);
      }),
      ...own.map((file) => row(file, shownPath(file).split('/').at(-1) ?? '')),
    );
  const trees = element('div', 'trees', list(treeOf(placed)));
  if (others.length > 0) {
    const title = placed.length === 0 ? 'In the tarball' : 'Not installed';
    trees.append(element('h2', '', title), list(treeOf(others)));
  }
  const where =
    source.base === '' ? ['the project'] : [element('code', '', ...visible(source.base))];
  const text = element('p', 'tree-lead', `Writes ${countOf(placed.length, 'file')} to `, ...where);
  const box = element('div', 'tree', ...(placed.length === 0 ? [] : [text]));
  if (files.length >= MIN_FILTERED) box.append(...filterOf(files, trees, row));
  box.append(trees);
  return {
    box,
    mark: (path) => {
      for (const link of box.querySelectorAll('[aria-current]')) {
        link.removeAttribute('aria-current');
      }
      const link = path === undefined ? undefined : links.get(path);
      link?.setAttribute('aria-current', 'page');
      for (let at: Element | null | undefined = link; at !== null && at !== undefined;) {
        if (at instanceof HTMLDetailsElement && box.contains(at)) at.open = true;
        at = at.parentElement;
      }
    },
  };
}

/** A field, and the files whose paths have what is typed into it. */
function filterOf(
  files: readonly ListedFile[],
  trees: HTMLElement,
  row: (file: ListedFile, name: string) => HTMLLIElement,
): HTMLElement[] {
  const input = element('input', 'tree-filter');
  input.type = 'search';
  input.placeholder = 'Filter files';
  input.setAttribute('aria-label', 'Filter files');
  const found = element('ul', 'tree-found');
  const status = element('p', 'quiet tree-lead');
  status.setAttribute('role', 'status');
  found.hidden = true;
  input.addEventListener('input', () => {
    const words = input.value.trim().toLowerCase();
    trees.hidden = words !== '';
    found.hidden = words === '';
    const hits =
      words === '' ? [] : files.filter((one) => shownPath(one).toLowerCase().includes(words));
    found.replaceChildren(...hits.slice(0, MAX_FOUND).map((one) => row(one, shownPath(one))));
    status.textContent =
      words === ''
        ? ''
        : hits.length > MAX_FOUND
          ? `The first ${MAX_FOUND} of ${hits.length}`
          : countOf(hits.length, 'file');
  });
  return [input, status, found];
}

/** Text of publishers as nodes, in which what hides is shown by its name. */
export function visible(text: string): (Node | string)[] {
  // A NUL hides as well: none is left.
  const parts = replaceHidden(text, (name) => `\0${name}\0`).split('\0');
  return parts.flatMap<Node | string>((part, at) => {
    if (part === '') return [];
    return at % 2 === 0 ? [part] : [element('span', 'hidden-character', part)];
  });
}
