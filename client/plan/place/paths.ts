/** Paths of a project, with `/` between their parts. Pure. */

/** `folder` and `path` with a `/` between them where both have text. */
export function joinPath(folder: string, path: string): string {
  return folder === '' || path === '' ? folder + path : `${folder}/${path}`;
}

/** `a/b.ts` is in the folder `a`, `b.ts` in the folder "". */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** Whether `path` is `folder` or below it. */
export function isWithin(folder: string, path: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`);
}

/** Whether an import names a path from its own file. */
export function isRelative(name: string): boolean {
  return /^\.\.?(?:\/|$)/.test(name);
}

/** `path` relative to `folder` with `.` and `..` resolved; `undefined` above the root of the project. */
export function resolvePath(folder: string, path: string): string | undefined {
  const segments = folder === '' ? [] : folder.split('/');
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') segments.push(segment);
    else if (segments.pop() === undefined) return undefined;
  }
  return segments.join('/');
}

/** How a file in `folder` names `path`: `./x`, `../x`, `.` or `..`. */
export function relativePath(folder: string, path: string): string {
  const from = folder === '' ? [] : folder.split('/');
  const to = path === '' ? [] : path.split('/');
  let common = 0;
  while (common < from.length && common < to.length && from[common] === to[common]) common += 1;
  const up = from.slice(common).map(() => '..');
  const all = [...up, ...to.slice(common)];
  return up.length === 0 ? ['.', ...all].join('/') : all.join('/');
}
