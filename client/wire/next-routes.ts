/** The files of the app router of Next.js. Pure. */
import type { NoPlace } from './find-application.ts';
import type { ProjectTexts } from './project-texts.ts';

const NEXT_PAGE = /\/(?:layout|page|route)\.[jt]sx?$/;

/** The file at `path` below the folder of the app router of Next.js, where no other file has its first segment. */
export function fileOfNext(
  path: string,
  { project }: ProjectTexts,
): { readonly file: string } | NoPlace {
  const pages = project.paths.filter((one) => NEXT_PAGE.test(one));
  // As Next.js does: `src/app` counts where there is no `app`.
  const folder = ['app/', 'src/app/'].find((one) => pages.some((page) => page.startsWith(one)));
  if (folder === undefined)
    return { why: 'it has no folder "app" or "src/app" with pages of the app router of Next.js' };
  const [first = ''] = path.split('/');
  const file = folder + path;
  const other = pages.find((page) => {
    // Groups and slots are no part of the address.
    const address = page.replace(folder, '').replaceAll(/(?:\([^/]*\)|@[^/]*)\//g, '');
    return page !== file && page.startsWith(folder) && address.startsWith(`${first}/`);
  });
  return other === undefined ? { file } : { why: `the path "/${first}" is taken`, path: other };
}
