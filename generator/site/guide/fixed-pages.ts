/** The pages that depend on the software and the configuration alone. */
import { notFoundPage } from '../home/not-found-page.ts';
import type { Site } from '../site.ts';
import { SOURCE_PAGE, sourcePage } from '../source/source-page.ts';
import { findingsPages } from './findings-page.ts';
import { guidePages } from './guide-page.ts';
import { publishGuide } from './publish-guide.ts';
import { runGuide } from './run-guide.ts';
import { verifyGuide } from './verify-guide.ts';

/** Path to content. */
export function fixedPages(site: Site): Readonly<Record<string, string>> {
  const pages: Record<string, string> = {
    '404.html': notFoundPage(site),
    [SOURCE_PAGE]: sourcePage(site),
    ...findingsPages(site),
  };
  for (const guide of [publishGuide(site), runGuide(site), verifyGuide(site)]) {
    Object.assign(pages, guidePages(site, guide));
  }
  return pages;
}
