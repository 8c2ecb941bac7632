/** The source page: shows the files of the version, and the difference to another one, that the address names. */
import { isBuildId } from '../../../../../format/build/build-id.ts';
import { tarballPath } from '../../../../../format/index/layout.ts';
import { isGone } from '../../../../../format/registry/status.ts';
import { parseSourceAddress, sourceAddress, type SourceView } from '../../../source-address.ts';
import { isVersion } from '../../../../../format/version/version.ts';
import { bytesText } from '../../../figures.ts';
import { announce, element, siteAddress } from '../element.ts';
import { drawFile } from './file-view.ts';
import { drawTree, firstFile, listFiles, shownPath, visible } from './file-tree.ts';
import {
  type HeadVersion,
  loadHead,
  loadSource,
  SourceProblem,
  type VersionSource,
} from './load-build.ts';

type BuildHead = Awaited<ReturnType<typeof loadHead>>;

const WIDE = '(min-width: 62rem)';
/** Why a question is not answered is more than one line of a page. */
const MAX_REASON = 2_000;

/** @param main the element of the page, which is empty except its heading */
export async function showSource(main: HTMLElement): Promise<void> {
  main.setAttribute('aria-busy', 'true');
  const view = parseSourceAddress(location.search, location.hash);
  let head: BuildHead | undefined;
  try {
    if (view === undefined || !isBuildId(view.id) || !isNamed(view)) throw noVersion();
    const loading = loadHead(view.id);
    const against = view.against === view.version ? undefined : view.against;
    const sources = [view.version, ...(against === undefined ? [] : [against])].map((version) =>
      loadSource(view.id, loading, version),
    );
    for (const one of sources) one.catch(() => undefined);
    head = await loading;
    const [shown, other] = await Promise.all(sources);
    await draw(main, head, view, shown!, other);
  } catch (error) {
    if (!(error instanceof SourceProblem)) throw error;
    drawProblem(main, error, view, head);
  } finally {
    main.removeAttribute('aria-busy');
  }
}

type Loaded = Awaited<ReturnType<typeof loadSource>>;

async function draw(
  main: HTMLElement,
  head: BuildHead,
  view: SourceView,
  loaded: Loaded,
  other: Loaded | undefined,
): Promise<void> {
  const { id, version } = view;
  const { source, capabilities } = loaded;
  const top = drawHead(head, view, loaded, other?.row.version);
  const side = element('div', 'source-side');
  const body = element('div', 'source-body');
  const frame = element('div', 'source-frame', side, body);
  if (other === undefined) {
    const show = drawFiles(view, source, side, body);
    main.replaceChildren(...top, frame);
    show(true);
    addEventListener('hashchange', () => show(false));
    return;
  }
  const { drawChanges } = await import('./changes-view.ts');
  const changes = drawChanges(
    { version: other.row.version, source: other.source, capabilities: other.capabilities },
    { version, source, capabilities },
    ({ path, kind }) => {
      const of = kind === 'removed' ? other.row.version : version;
      return siteAddress(sourceAddress({ id, version: of, file: path }));
    },
  );
  document.title = `Changes of ${id} from ${other.row.version} to ${version}`;
  side.append(foldedSide('Changed files', changes.list).box);
  body.append(changes.box);
  main.replaceChildren(...top, frame);
  const follow = (): void => {
    const file = parseSourceAddress(location.search, location.hash)?.file;
    if (file !== undefined) changes.show(file);
  };
  follow();
  addEventListener('hashchange', follow);
}

/** @returns shows the file that the address names */
function drawFiles(
  view: SourceView,
  source: VersionSource,
  side: HTMLElement,
  body: HTMLElement,
): (isFirst: boolean) => void {
  const { id, version } = view;
  const hashOf = (file: string, lines?: readonly [number, number]): string =>
    new URL(siteAddress(sourceAddress({ id, version, file, lines }))).hash;
  const tree = drawTree(source, (file) => hashOf(file));
  const files = listFiles(source);
  const fold = foldedSide('Files', tree.box);
  side.append(fold.box);
  let shown: { readonly path: string; readonly drawn: ReturnType<typeof drawFile> } | undefined;
  return (isFirst) => {
    const { file, lines } = parseSourceAddress(location.search, location.hash) ?? view;
    const chosen = file === undefined ? firstFile(files) : files.find(({ path }) => path === file);
    const entry = source.files.find(({ path }) => path === chosen?.path);
    document.title = `${chosen === undefined ? '' : `${shownPath(chosen)} · `}${id} ${version}`;
    tree.mark(chosen?.path);
    if (chosen === undefined || entry === undefined) {
      shown = undefined;
      body.replaceChildren(
        note('note-warn', 'There is no such file', [
          `Version ${version} has no file `,
          element('code', '', ...visible(file ?? '')),
          '. Choose one of its files.',
        ]),
      );
      return;
    }
    const isNew = shown?.path !== chosen.path;
    if (isNew) {
      const drawn = drawFile(entry, nameOf(chosen, source.base), (range) =>
        hashOf(chosen.path, range),
      );
      shown = { path: chosen.path, drawn };
      body.replaceChildren(drawn.box);
      fold.close(shownPath(chosen));
      if (!isFirst) announce(`File ${shownPath(chosen)}`);
    }
    shown?.drawn.mark(lines, isNew || lines?.[0] !== lines?.[1]);
    if (isNew && !isFirst && lines === undefined) {
      body.scrollIntoView({ block: matchMedia(WIDE).matches ? 'nearest' : 'start' });
    }
  };
}

/** The place of a file in a project, with its folder apart; or its path in the tarball. */
function nameOf(
  file: { readonly path: string; readonly destination: string | undefined },
  base: string,
): Node[] {
  const path = file.destination ?? file.path;
  const at = path.lastIndexOf('/') + 1;
  const folder = element('span', 'file-folder', ...visible(path.slice(0, at)));
  const name = element('bdi', '', folder, ...visible(path.slice(at)));
  const where =
    file.destination === undefined
      ? 'not installed'
      : base === ''
        ? ''
        : `${file.path} in the tarball`;
  return where === '' ? [name] : [name, element('span', 'file-origin', ...visible(where))];
}

/** A list that is beside the files on a wide screen, and folded above them on another. */
function foldedSide(
  title: string,
  list: HTMLElement,
): { readonly box: HTMLElement; readonly close: (name: string) => void } {
  const label = element('span', 'side-file');
  const summary = element('summary', 'side-title', title, label);
  const box = element('details', 'side-fold', summary, list);
  const wide = matchMedia(WIDE);
  const fit = (): void => {
    box.open = wide.matches;
  };
  fit();
  wide.addEventListener('change', fit);
  return {
    box,
    close: (name) => {
      label.replaceChildren(element('bdi', '', ...visible(name)));
      if (!wide.matches) box.open = false;
    },
  };
}

function drawHead(
  head: BuildHead,
  { id, version }: SourceView,
  { row, size }: Loaded,
  against: string | undefined,
): HTMLElement[] {
  const to = (other: string, compared: string | undefined): string =>
    siteAddress(
      sourceAddress({ id, version: other, against: compared === other ? undefined : compared }),
    );
  const versions = selectOf(
    'Version',
    head.versions,
    version,
    (one) => one,
    (one) => {
      location.assign(
        to(one, against) + (against === undefined ? location.hash.replace(/:L.*$/, '') : ''),
      );
    },
  );
  const others = head.versions.filter((one) => one.version !== version);
  const compared = selectOf(
    'Compare with',
    others,
    against ?? '',
    (one) => one,
    (one) => {
      location.assign(to(version, one === '' ? undefined : one));
    },
  );
  const none = new Option(
    against === undefined ? 'no other version' : 'stop comparing',
    '',
    false,
    against === undefined,
  );
  compared.querySelector('select')?.prepend(none);
  const tarball = element('a', 'button', `Download ${bytesText(size)}`);
  tarball.href = siteAddress(tarballPath(id, version));
  tarball.setAttribute('aria-label', `Download ${bytesText(size)}: the tarball of ${version}`);
  const checked = element('p', 'checked', 'SHA-256 checked');
  checked.title = row.integrity;
  const bar = element(
    'div',
    'source-bar',
    versions,
    ...(others.length === 0 ? [] : [compared]),
    element('span', 'source-actions', checked, tarball),
  );
  const title =
    against === undefined ? `Source of ${id} ${version}` : `Changes from ${against} to ${version}`;
  return [placeOf(id), element('h1', '', title), bar, ...notesOf(id, row)];
}

function selectOf(
  label: string,
  versions: readonly HeadVersion[],
  chosen: string,
  textOf: (version: string) => string,
  choose: (version: string) => void,
): HTMLElement {
  const select = element('select', '');
  for (const one of versions) {
    const mark = one.status.is === 'open' ? '' : ` (${one.status.is})`;
    const option = new Option(
      textOf(one.version) + mark,
      one.version,
      false,
      one.version === chosen,
    );
    option.disabled = isGone(one.status);
    select.append(option);
  }
  select.addEventListener('change', () => choose(select.value));
  return element('label', 'source-choice', element('span', '', label), select);
}

function notesOf(id: string, { version, status, advisories, risk }: HeadVersion): HTMLElement[] {
  const build = element('a', '', 'the page of the build');
  build.href = siteAddress(`builds/${id}/`);
  const notes: HTMLElement[] = [];
  if (advisories.length > 0) {
    const links = advisories.slice(0, 10).flatMap((name, at) => {
      const link = element('a', '', name);
      link.href = siteAddress(`advisories/${encodeURIComponent(name)}/`);
      return at === 0 ? [link] : [', ', link];
    });
    notes.push(note('note-bad', `Version ${version} has known faults:`, links));
  }
  if (status.is !== 'open') {
    notes.push(
      note(
        'note-bad',
        `Version ${version} is ${status.is}:`,
        visible(status.reason.slice(0, MAX_REASON)),
      ),
    );
  }
  if (risk === 'danger' && advisories.length === 0) {
    notes.push(note('note-bad', 'The checks found danger in this version:', ['see ', build, '.']));
  }
  return notes;
}

function drawProblem(
  main: HTMLElement,
  problem: SourceProblem,
  view: SourceView | undefined,
  head: BuildHead | undefined,
): void {
  const text = element(
    'p',
    '',
    element('bdi', '', ...visible(problem.message.slice(0, MAX_REASON))),
  );
  const box = element('div', 'note note-bad source-problem', text, element('p', '', problem.hint));
  box.setAttribute('role', 'alert');
  const children: HTMLElement[] = [element('h1', '', problem.title), box];
  if (problem.canRetry) {
    const again = element('button', '', 'Try again');
    again.type = 'button';
    again.addEventListener('click', () => location.reload());
    children.push(element('p', 'block-gap', again));
  }
  if (view !== undefined && isBuildId(view.id)) {
    children.unshift(placeOf(view.id));
    const left = head?.versions.filter(({ status }) => !isGone(status)) ?? [];
    const links = left.map(({ version }) => {
      const link = element('a', 'button', version);
      link.href = siteAddress(sourceAddress({ id: view.id, version }));
      return link;
    });
    if (links.length > 0) {
      const title = element('h2', '', `Versions of ${view.id}`);
      children.push(title, element('p', 'source-versions', ...links));
    }
  }
  document.title = problem.title;
  main.replaceChildren(...children);
}

function placeOf(id: string): HTMLElement {
  const [owner = ''] = id.split('/');
  const link = (text: string, path: string): HTMLElement => {
    const made = element('a', '', text);
    made.href = siteAddress(path);
    return element('li', '', made);
  };
  const place = element(
    'nav',
    '',
    element(
      'ol',
      'crumbs',
      link(owner, `owners/${owner}/`),
      link(id.slice(owner.length + 1), `builds/${id}/`),
      element('li', '', 'source'),
    ),
  );
  place.setAttribute('aria-label', 'Place');
  return place;
}

function note(kind: string, title: string, content: readonly (Node | string)[]): HTMLElement {
  return element('p', `note ${kind} bidi`, element('strong', '', title), ' ', ...content);
}

function isNamed({ version, against }: SourceView): boolean {
  return isVersion(version) && (against === undefined || isVersion(against));
}

function noVersion(): SourceProblem {
  return new SourceProblem(
    'The address names no version of a build',
    'This page shows the files of one version.',
    'Search for a build above, and follow "Files" on its page. An address ends with ?id=<owner>/<name>&version=<version>.',
  );
}
