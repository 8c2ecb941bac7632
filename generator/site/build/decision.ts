/**
 * What people want to know before installing a build, in the order of importance: is it safe, does it fit, what does it
 * write, what is left to do. The page and its twin show the same lines.
 */
import type { Advisory } from '../../../format/advisory/advisory.ts';
import { fixedVersion, severityOf } from '../severity.ts';
import { knownGood } from '../../../format/index/known-good.ts';
import { admitsTagVersion } from '../../../format/version/tag-version.ts';
import { countSteps } from '../../../format/wiring/wiring.ts';
import { bytesText, countOf } from '../figures.ts';
import { plain } from '../visible-text.ts';
import { type BuildView, headVersion, measuredOf, statusIn } from './build-view.ts';

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
  const status = statusIn(view, latest.version);
  if (status.is !== 'open') {
    const text = `Version ${latest.version} is ${status.is}: ${plain(status.reason)}`;
    lines.push({ concern: 'bad', text });
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
