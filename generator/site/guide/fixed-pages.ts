/** The pages that depend on the software and the configuration alone. */
import { Highlighter } from '../code/highlighter.ts';
import { notFoundPage } from '../home/not-found-page.ts';
import { keptInMemory } from '../kept.ts';
import type { Site } from '../site.ts';
import { findingsPages } from './findings-page.ts';
import { guidePages } from './guide-page.ts';
import { publishGuide } from './publish-guide.ts';
import { runGuide } from './run-guide.ts';
import { verifyGuide } from './verify-guide.ts';

/** Path to content. */
export async function fixedPages(site: Site): Promise<Readonly<Record<string, string>>> {
  const highlighter = site.hasHighlighting ? new Highlighter(keptInMemory()) : undefined;
  const pages: Record<string, string> = { '404.html': notFoundPage(site), ...findingsPages(site) };
  for (const guide of [publishGuide(site), runGuide(site), verifyGuide(site)]) {
    Object.assign(pages, await guidePages(site, guide, highlighter));
  }
  return pages;
}
