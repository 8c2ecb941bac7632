/** The environment variables that a build reads. */
import type { PackageRecord } from '../../../format/index/record.ts';
import { html, plain } from '../html.ts';
import type { Html } from '../html.ts';

/** Nothing for a build without variables. */
export function environmentSection({ manifest }: PackageRecord): Html | undefined {
  const variables = Object.entries(manifest.env ?? {});
  if (variables.length === 0) return undefined;
  const rows = variables.map(([name, { required = false, description = '', example }]) => {
    const sample =
      example === undefined
        ? ''
        : html`<br><span class="quiet">Example:</span> <code>${plain(example)}</code>`;
    return html`<tr><td><code>${name}</code></td><td>${required ? html`<strong>required</strong>` : 'optional'}</td><td class="bidi">${plain(description)}${sample}</td></tr>\n`;
  });
  return html`<section class="section" id="environment" aria-labelledby="environment-title"><h2 id="environment-title">Environment variables</h2>
<div class="scroll" tabindex="0" role="region" aria-label="Table of variables"><table><thead><tr><th scope="col">Name</th><th scope="col">Needed</th><th scope="col">Meaning</th></tr></thead><tbody>${rows}</tbody></table></div>
</section>`;
}
