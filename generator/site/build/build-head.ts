/** The top of a build's page: what it is, everything that decides whether to install it, and the command. */
import { buildFolder, ownerFolder } from '../../../format/index/site-path.ts';
import { sourceAddress } from '../source-address.ts';
import { html, type Html } from '../html.ts';
import type { Link } from '../link.ts';
import { plain } from '../visible-text.ts';
import { when } from '../figures.ts';
import type { PageSite } from '../site.ts';
import type { BuildView } from './build-view.ts';
import { kindMark } from './build-list.ts';
import { concernOf, type Decision } from './decision.ts';
import { actionOf, commandTabs } from './install-command.ts';
import { safetyLine } from './safety-panel.ts';

/** Lines of safety that the top shows; the panel has all. */
const MAX_LINES = 4;

export function buildHead(site: PageSite, view: BuildView, decision: Decision, link: Link): Html {
  const { id, latest } = view;
  const [owner = '', name = ''] = id.split('/');
  const { kind, version } = latest;
  return html`<div class="build-head">
<div class="title"><h1><a class="owner" href="${link(`${ownerFolder(owner)}index.html`)}">${owner}</a><span class="owner">/</span>${name}</h1> <a class="title-version" href="${link('index.html')}${sourceAddress({ id, version })}">${version}</a>${kindMark(kind)}</div>
<p class="lead bidi">${plain(latest.description)}</p>
<div class="decision">
${safety(decision, link)}
<dl class="answers">
${decision.fits.length === 0 ? '' : answer('Fits', lines(decision.fits))}${answer('Writes', writes(decision))}${decision.needs.length === 0 ? '' : answer('Needs', variables(decision.needs))}${starts(view, link)}${answer('By hand', html`${withCode(decision.byHand)}`)}${answer('From', html`<a href="${link(`${ownerFolder(owner)}index.html`)}">${owner}</a>, reputation ${latest.reputation} of 100 · ${plain(latest.license)} · ${when(latest.published_at)}`)}</dl>
</div>
${commandTabs(site, actionOf({ id, kind }), 'install')}
</div>`;
}

function safety(decision: Decision, link: Link): Html {
  const shown = decision.safety.slice(0, MAX_LINES);
  const rest = decision.safety.length - shown.length;
  return html`<div class="safety safety-${concernOf(decision)}" role="note" aria-label="Safety">${shown.map((one) => safetyLine(one, link))}${rest > 0 ? html`<p><a href="#safety">And ${rest} more</a></p>` : ''}</div>`;
}

function answer(name: string, value: Html): Html {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`;
}

/** A module is added to a new project at once; a foundation takes modules with it. */
function starts({ latest, foundations, modules }: BuildView, link: Link): Html | undefined {
  const links = (ids: readonly string[]): Html =>
    html`${ids.map((id, at) => html`${at === 0 ? '' : ', '}<a href="${link(`${buildFolder(id)}index.html`)}">${id}</a>`)}`;
  if (latest.kind === 'foundation') {
    return modules.length === 0 ? undefined : answer('Add next', links(modules));
  }
  if (foundations.length === 0) return undefined;
  return answer('Start', html`a new project for it: ${links(foundations)}`);
}

function lines(all: readonly string[]): Html {
  return html`${all.map((one, at) => html`${at === 0 ? '' : html`<br>`}${one}`)}`;
}

function writes({ writes: what, edits }: Decision): Html {
  const edited = edits.map((file, at) => html`${at === 0 ? '' : ', '}<code>${file}</code>`);
  return html`<a href="#files">${what}</a>${edits.length === 0 ? '' : html`, edits ${edited}`}`;
}

function variables(names: readonly string[]): Html {
  return html`${names.map((name, at) => html`${at === 0 ? '' : ', '}<a href="#requirements"><code>${name}</code></a>`)}`;
}

/** The one option in the line as code. */
function withCode(text: string): Html {
  const [before = '', after] = text.split('--wire');
  return after === undefined ? html`${text}` : html`${before}<code>--wire</code>${after}`;
}
