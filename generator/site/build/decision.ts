/**
 * What people want to know before installing a build, in the order of importance: is it safe, does it fit, what does it
 * write, what is left to do. The page and its twin show the same lines.
 */
import type { Advisory } from '../../../format/advisory/advisory.ts';
import { fixedVersion, severityOf } from '../../../format/advisory/severity.ts';
import { knownGood } from '../../../format/index/known-good.ts';
import { admitsTagVersion } from '../../../format/version/tag-version.ts';
import { countSteps } from '../../../format/wiring/wiring.ts';
import { bytesText, count, countOf, html, type Html, type Link, plain } from '../html.ts';
import { type BuildView, headVersion, measuredOf, yankOf } from './build-view.ts';
import { sourceAddress } from '../../../format/index/source-address.ts';

/** The worse, the later. */
type Concern = 'none' | 'note' | 'warn' | 'bad';

interface SafetyLine {
  readonly concern: Concern;
  /** Without a full stop. Publishers' texts in it are plain, in one line. */
  readonly text: string;
  /** The advisory that it is about. */
  readonly advisory?: string;
  /** The build that stands in for this one. */
  readonly replacement?: string;
}

export interface Decision {
  /** Never empty, the worst first. */
  readonly safety: readonly SafetyLine[];
  /** One for each stack tag, such as `express 4.10.0 to 5.3.0, measured`. */
  readonly fits: readonly string[];
  readonly writes: string;
  /** Files of the project that it edits, and variables that it needs. */
  readonly edits: readonly string[];
  readonly needs: readonly string[];
  readonly byHand: string;
}

const RISKS = {
  caution: 'Checks found something that you should look at before you install it',
  danger: 'Checks found code that behaves as malicious code does',
} as const;

export function decisionOf(view: BuildView): Decision {
  return {
    safety: safetyLines(view),
    fits: fitsOf(view),
    writes: writesOf(view),
    edits: editsOf(view),
    needs: Object.entries(view.latest.manifest.env ?? {}).flatMap(([name, one]) => {
      return one.required === true ? [name] : [];
    }),
    byHand: stepsOf(view),
  };
}

/** The worst concern of all lines. */
export function concernOf({ safety }: Pick<Decision, 'safety'>): Concern {
  return safety[0]?.concern ?? 'none';
}

/** The advisories about the latest version that count. */
function advisoriesOf({ advisories, head, latest }: BuildView): Advisory[] {
  const ids = headVersion({ head }, latest.version)?.advisories ?? [];
  return advisories.filter(({ id }) => ids.includes(id));
}

function safetyLines(view: BuildView): SafetyLine[] {
  const { id, latest, head } = view;
  const lines: SafetyLine[] = [];
  for (const advisory of advisoriesOf(view)) {
    const severity = severityOf(advisory);
    const word = severity === undefined || severity === 'none' ? '' : `, severity ${severity}`;
    const fixed = fixedVersion(id, latest.version, advisory);
    const isThere = fixed !== undefined && headVersion(view, fixed) !== undefined;
    const end = isThere
      ? `. Version ${fixed} fixes it`
      : fixed === undefined
        ? '. No version fixes it'
        : `. Version ${fixed} will fix it, and is not published`;
    const concern = severity === 'low' || severity === 'none' ? 'warn' : 'bad';
    const text = `Known fault${word}: ${plain(advisory.summary)}${end}`;
    lines.push({ concern, text, advisory: advisory.id });
  }
  const faulty = headVersion(view, latest.version)?.packages ?? [];
  for (const one of faulty) {
    const text = `Every version of ${one.name} (${one.ecosystem}) that it admits has a known fault: ${one.advisories.join(', ')}`;
    lines.push({ concern: 'bad', text });
  }
  const reason = yankOf(view, latest.version);
  if (reason !== undefined) {
    lines.push({ concern: 'bad', text: `Version ${latest.version} is yanked: ${plain(reason)}` });
  }
  if (latest.risk === 'danger') lines.push({ concern: 'bad', text: RISKS.danger });
  if (head.deprecated !== undefined) {
    const { reason: why, replacement } = head.deprecated;
    const text = `Deprecated: ${plain(why)}`;
    lines.push({ concern: 'warn', text, ...(replacement === undefined ? {} : { replacement }) });
  }
  if (head.moved !== undefined) {
    const text = `It goes on under another name since ${head.moved.since}`;
    lines.push({ concern: 'warn', text, replacement: head.moved.to });
  }
  if (latest.flags > 0) {
    lines.push({ concern: 'warn', text: `${countOf(latest.flags, 'open flag')} of users` });
  }
  if (latest.risk === 'caution') lines.push({ concern: 'warn', text: RISKS.caution });
  if (lines.length === 0) {
    const text = 'No advisory, no flag, and no check found anything unsafe';
    lines.push({ concern: 'none', text });
  }
  const order: readonly Concern[] = ['bad', 'warn', 'note', 'none'];
  return lines.sort((a, b) => order.indexOf(a.concern) - order.indexOf(b.concern));
}

/** What was measured counts for the version that it was measured with, which the line names when it is another. */
function fitsOf(view: BuildView): string[] {
  const measured = measuredOf(view);
  const found = new Map(knownGood(measured?.results ?? []).map((one) => [one.tag, one]));
  const other = measured?.version === view.latest.version ? '' : ` (version ${measured?.version})`;
  return Object.entries(view.latest.requires).map(([tag, range]) => {
    const outcomes = (found.get(tag)?.outcomes ?? []).filter((one) => {
      return admitsTagVersion(range, one.version);
    });
    const [first, last] = [outcomes[0], outcomes.at(-1)];
    const declared = `${tag} ${range === '*' ? 'of any version' : plain(range)}`;
    if (first === undefined || last === undefined) return `${declared}, not measured`;
    const failed = outcomes.filter(({ isGood }) => !isGood).map(({ version }) => version);
    if (failed.length > 0) {
      return `${declared}, measured${other}: fails with ${failed.slice(0, 3).join(', ')}`;
    }
    const span =
      first.version === last.version ? first.version : `${first.version} to ${last.version}`;
    return `${tag} ${span}, measured${other}`;
  });
}

function writesOf({ latest: { kind, files, manifest } }: BuildView): string {
  const bytes = bytesText(files.reduce((sum, { size }) => sum + size, 0));
  const what = `${countOf(files.length, 'file')} (${bytes})`;
  if (kind === 'foundation') return `${what} into a new folder`;
  return `${what} to ${manifest.base === undefined ? 'the root of the project' : plain(manifest.base)}`;
}

function editsOf({ latest: { manifest, kind } }: BuildView): string[] {
  // Of a foundation these are among its files.
  if (kind === 'foundation') return [];
  const { dependencies = {}, devDependencies = {}, scripts = {}, env = {} } = manifest;
  const has = (one: object | undefined): boolean => Object.keys(one ?? {}).length > 0;
  const edits: string[] = [];
  const isNode = has(dependencies.npm) || has(devDependencies.npm) || has(scripts);
  if (isNode) edits.push('package.json');
  if (has(dependencies.pip) || has(devDependencies.pip)) {
    edits.push('pyproject.toml or requirements.txt');
  }
  if (has(env)) edits.push('.env.example');
  return edits;
}

function stepsOf({ latest: { integration, kind } }: BuildView): string {
  if (kind === 'foundation') return 'nothing';
  const { all, unwired } = countSteps(integration);
  if (all === 0) return integration.trim() === '' ? 'there is no guide' : 'see the guide';
  const steps = `${countOf(all, 'step')} of the guide`;
  if (unwired === all) return steps;
  const left = unwired === 0 ? 'all of them' : `${all - unwired} of them`;
  return `${steps}; --wire carries out ${left} where it finds their place`;
}

/** Files that a page lists; the source page has all. */
const MAX_SHOWN = 300;

/** The path in a project of a file within the build. */
export function destinationOf(path: string, base: string | undefined): string {
  return base === undefined ? path : `${base}/${path}`;
}

export function filesPanel({ id, latest }: BuildView, { edits }: Decision, link: Link): Html {
  const { version, files, manifest } = latest;
  const shown = files.slice(0, MAX_SHOWN);
  const all = link('index.html') + sourceAddress({ id, version });
  const rows = shown.map(({ path, size }) => {
    const address = link('index.html') + sourceAddress({ id, version, file: path });
    return html`<tr><td><a href="${address}"><code>${plain(destinationOf(path, manifest.base))}</code></a></td><td class="number">${bytesText(size)}</td></tr>\n`;
  });
  const edited = edits.map((file, at) => html`${at === 0 ? '' : ', '}<code>${file}</code>`);
  return html`<p>${latest.kind === 'foundation' ? 'A new project gets these files.' : 'These files are written to your project, and are yours from then on.'} <a href="${all}">Read the source</a></p>
${edits.length === 0 ? '' : html`<p>Also edited: ${edited}.</p>`}
<div class="scroll" tabindex="0" role="region" aria-label="Table of files"><table class="files"><thead><tr><th scope="col">Path in the project</th><th scope="col" class="number">Size</th></tr></thead><tbody>${rows}</tbody></table></div>
${files.length > shown.length ? html`<p class="quiet"><a href="${all}">And ${count(files.length - shown.length)} more.</a></p>` : ''}`;
}
