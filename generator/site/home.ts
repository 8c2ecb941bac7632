/** The home page: the builds with their records, and how to install them. The full site comes later. */
import { html, raw } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import type { BuildSummary } from '../../format/index/catalog.ts';
import {
  CATALOG_PATH,
  CLIENT_PATH,
  REGISTRY_PATH,
  headPath,
  recordPath,
  schemaPath,
  urlPath,
} from '../../format/index/layout.ts';
import type { RegistryConfig } from '../../format/registry/registry-config.ts';

/** The page lists at most this many builds, the ones that changed last. */
export const HOME_BUILDS = 1_000;

export interface Home {
  readonly config: RegistryConfig;
  readonly builds: readonly BuildSummary[];
  /** Builds in the registry. */
  readonly total: number;
  /** Whether the registry serves a client. */
  readonly hasClient: boolean;
}

/** The page as HTML; every text of a publisher is escaped. */
export function homePage({ config, builds, total, hasClient }: Home): string {
  const [first] = builds;
  const { base_url: base } = config;
  const command = installCommand(first, base, hasClient);
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${config.name}</title>
<style>${raw(STYLE)}</style>
</head>
<body>
<main>
<h1>${config.name}</h1>
<p>${total} ${total === 1 ? 'build' : 'builds'} of reusable project code, as static files. Every version has a
record, a tarball and a digest that never change.</p>
<p>Add one to your project:</p>
<pre><code>${command}</code></pre>
<ul>
${builds.map(item)}</ul>
${builds.length < total ? moreNote(builds.length) : ''}
</main>
<footer><a href="${REGISTRY_PATH}">registry.json</a> <a href="${CATALOG_PATH}">catalog.json</a> <a href="${schemaPath('manifest')}">manifest schema</a></footer>
</body>
</html>
`;
  // Without promises among its values, the template gives a string at once.
  return (page as HtmlEscapedString).toString();
}

/** A client from the registry uses that registry by itself; a foundation starts a project, and is never added. */
function installCommand(
  build: Pick<BuildSummary, 'id' | 'kind'> = { id: '<owner>/<name>', kind: 'module' },
  base: string,
  hasClient: boolean,
): string {
  const served = `npx --yes ${base === '' ? '<address of this page>' : base}/${CLIENT_PATH}`;
  const registry = hasClient || base === '' ? '' : ` --registry ${base}`;
  return `${hasClient ? served : 'stackyard'} ${actionOf(build)}${registry}`;
}

function actionOf({ id, kind }: Pick<BuildSummary, 'id' | 'kind'>): string {
  return kind === 'foundation' ? `new ${id} my-app` : `add ${id}`;
}

function item(build: BuildSummary): ReturnType<typeof html> {
  const marks = `${build.deprecated ? ' deprecated' : ''}${build.yanked ? ' yanked' : ''}`;
  return html`<li>
<h2><a href="${urlPath(recordPath(build.id))}">${build.id}</a> <small>${build.latest} ${build.kind}${marks}</small></h2>
<p>${build.description}</p>
<p><code>stackyard ${actionOf(build)}</code></p>
<p class="facts">risk ${build.risk}, quality ${build.quality}, ${build.license}, <a href="${urlPath(headPath(build.id))}">versions</a></p>
</li>
`;
}

function moreNote(shown: number): ReturnType<typeof html> {
  return html`<p>These are the ${shown} that changed last; <a href="${CATALOG_PATH}">catalog.json</a> has all.</p>`;
}

const STYLE = `
:root { color-scheme: light dark; --ink: #1b1f24; --dim: #57606a; --line: #d0d7de; --paper: #fff; --code: #f3f4f6; --link: #0550ae; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --dim: #9aa4af; --line: #30363d; --paper: #0d1117; --code: #161b22; --link: #79c0ff; } }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; }
main, footer { max-width: 46rem; margin: 0 auto; padding: 0 1rem; }
main { padding-top: 2rem; }
h1 { font-size: 1.7rem; margin: 0 0 .5rem; }
h2 { font-size: 1.1rem; margin: 0; overflow-wrap: anywhere; }
small, .facts, footer { color: var(--dim); font-size: .875rem; font-weight: 400; }
a { color: var(--link); }
code { font: .9em ui-monospace, monospace; background: var(--code); padding: .15em .35em; border-radius: 4px; overflow-wrap: anywhere; }
pre { background: var(--code); padding: .75rem 1rem; border-radius: 6px; overflow-x: auto; }
pre code { padding: 0; background: none; }
ul { list-style: none; padding: 0; margin: 2rem 0; }
li { border-top: 1px solid var(--line); padding: 1rem 0; }
li p { margin: .35rem 0 0; }
footer { padding-bottom: 2rem; }
`;
