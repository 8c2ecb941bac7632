/** Where shadcn puts a file of an item into a project. Pure. */
import { joinPath } from '../place/layout.ts';
import type { SourceFile } from './source-item.ts';

/** Folders below the root of sources, as the aliases of a new project have them. */
export const ALIAS_FOLDERS: Readonly<Record<string, string>> = {
  ui: 'components/ui',
  components: 'components',
  hooks: 'hooks',
  lib: 'lib',
};

const TYPE_FOLDERS: Readonly<Record<string, string>> = {
  'registry:ui': 'components/ui',
  'registry:lib': 'lib',
  'registry:hook': 'hooks',
};

/**
 * The path in the project, which may still be one that no build may have.
 * @param root the folder of sources, such as `src`; "" without one
 */
export function projectPath({ path, type, target }: SourceFile, root: string): string {
  if (target !== undefined && target !== '') return targetPath(target, root);
  const folder = TYPE_FOLDERS[type] ?? 'components';
  return joinPath(root, joinPath(folder, pathWithin(path, folder)));
}

function targetPath(target: string, root: string): string {
  if (target.startsWith('~/')) return target.slice(2);
  const [, alias = '', rest = ''] = /^@([^/]+)\/(.+)$/s.exec(target) ?? [];
  const folder = Object.hasOwn(ALIAS_FOLDERS, alias) ? ALIAS_FOLDERS[alias] : undefined;
  if (folder !== undefined) return joinPath(root, joinPath(folder, rest));
  return root === '' ? target : joinPath(root, target.replace(/^src\//, ''));
}

/** What follows the last folder of `folder` in `path`; its name where it has no such folder. */
function pathWithin(path: string, folder: string): string {
  const segments = path.split('/').filter((segment) => segment !== '');
  const at = segments.indexOf(folder.split('/').at(-1) ?? '');
  return at < 0 ? (segments.at(-1) ?? '') : segments.slice(at + 1).join('/');
}
