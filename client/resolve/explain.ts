/**
 * Makes the explanation of a failure from its derivation: every conclusion once, the shorter of two
 * branches first, with a number when a line other than the next refers to it. Short steps are joined with the
 * conclusion that uses them.
 */
import type { BuildTable, Derivation, Explanation, ResolveInput } from './build-table.ts';
import { clauseOf } from './clause.ts';
import { type Incompatibility, isDisjoint, nodesBelow } from './incompatibility.ts';

/** How many facts and conclusions one sentence joins. */
const MAX_FACTS = 3;
const MAX_CONCLUSIONS = 2;
/** Bounds of the output. */
const MAX_LINES = 200;
const MAX_DEPTH = 60;

const ASKED = 'you asked for ';

/** The reasons in one sentence. */
interface Step {
  readonly facts: readonly Incompatibility[];
  readonly conclusions: readonly Incompatibility[];
  /** The number of sentences of its derivation, itself included; shared ones count each time. */
  readonly weight: number;
}

/** @param root the incompatibility to explain; it has no terms when there is no solution */
export function explain(
  root: Incompatibility,
  builds: BuildTable,
  input: ResolveInput,
): Explanation {
  const nodes = nodesBelow(root);
  const steps = stepsOf(nodes);
  const order = orderOf(root, steps);
  const numbers = numbersOf(order, steps);
  const clause = (node: Incompatibility): string => clauseOf(node, builds, input);
  const lines = order.slice(0, MAX_LINES).map((node, at) => {
    const text = sentenceOf(node, order[at - 1], steps, numbers, clause);
    const number = numbers.get(node);
    return number === undefined ? text : `(${number}) ${text}`;
  });
  const more = order.length - lines.length;
  return {
    tree: treeOf(root, steps, numbers, clause),
    lines: more === 0 ? lines : [...lines, `... and ${more} more steps.`],
    isBranching: isBranching(nodes),
  };
}

/** By conclusion: what its sentence consists of. */
function stepsOf(nodes: readonly Incompatibility[]): Map<Incompatibility, Step> {
  const uses = new Map<Incompatibility, number>();
  for (const { cause } of nodes) {
    if (cause.kind !== 'derived') continue;
    for (const one of [cause.conflict, cause.other]) uses.set(one, (uses.get(one) ?? 0) + 1);
  }
  const steps = new Map<Incompatibility, Step>();
  // The reasons of a conclusion have lower serials, so their steps exist.
  for (const node of nodes) {
    const { cause } = node;
    if (cause.kind !== 'derived') continue;
    const facts = new Set<Incompatibility>();
    const conclusions = new Set<Incompatibility>();
    const single: Incompatibility[] = [];
    for (const one of [cause.conflict, cause.other]) {
      if (one.cause.kind !== 'derived') facts.add(one);
      else if (uses.get(one)! > 1) conclusions.add(one);
      else single.push(one);
    }
    single.sort((a, b) => steps.get(a)!.weight - steps.get(b)!.weight);
    for (const [at, one] of single.entries()) {
      const step = steps.get(one)!;
      const open = single.length - at - 1;
      const isShort =
        facts.size + step.facts.length <= MAX_FACTS &&
        conclusions.size + step.conclusions.length + open <= MAX_CONCLUSIONS;
      if (!isShort) conclusions.add(one);
      else {
        for (const fact of step.facts) facts.add(fact);
        for (const conclusion of step.conclusions) conclusions.add(conclusion);
      }
    }
    const sorted = [...conclusions].sort(
      (a, b) => steps.get(a)!.weight - steps.get(b)!.weight || a.serial - b.serial,
    );
    const sum = sorted.reduce((total, one) => total + steps.get(one)!.weight, 1);
    const weight = Math.min(sum, Number.MAX_SAFE_INTEGER);
    steps.set(node, { facts: [...facts], conclusions: sorted, weight });
  }
  return steps;
}

/** The conclusions in the order of their sentences. */
function orderOf(
  root: Incompatibility,
  steps: ReadonlyMap<Incompatibility, Step>,
): Incompatibility[] {
  const order: Incompatibility[] = [];
  const done = new Set<Incompatibility>();
  const open = [root];
  for (let node = open.at(-1); node !== undefined; node = open.at(-1)) {
    const next = steps.get(node)?.conclusions.find((one) => !done.has(one));
    if (next !== undefined) open.push(next);
    else {
      open.pop();
      done.add(node);
      order.push(node);
    }
  }
  return order;
}

/** Numbers of the conclusions that a line other than the next one refers to. */
function numbersOf(
  order: readonly Incompatibility[],
  steps: ReadonlyMap<Incompatibility, Step>,
): Map<Incompatibility, number> {
  const referred = new Set<Incompatibility>();
  for (const [at, node] of order.entries()) {
    for (const one of steps.get(node)?.conclusions ?? []) {
      if (one !== order[at - 1]) referred.add(one);
    }
  }
  const numbers = new Map<Incompatibility, number>();
  for (const node of order) if (referred.has(node)) numbers.set(node, numbers.size + 1);
  return numbers;
}

function sentenceOf(
  node: Incompatibility,
  previous: Incompatibility | undefined,
  steps: ReadonlyMap<Incompatibility, Step>,
  numbers: ReadonlyMap<Incompatibility, number>,
  clause: (node: Incompatibility) => string,
): string {
  const step = steps.get(node);
  if (step === undefined) return `${capital(clause(node))}.`;
  const isNext = previous !== undefined && step.conclusions.includes(previous);
  const reasons = [
    ...withJointRequest(step.facts.map(clause).sort((a, b) => a.length - b.length)),
    ...step.conclusions
      .filter((one) => one !== previous)
      .map((one) => `${clause(one)} (${numbers.get(one)})`),
  ];
  const because = `because ${joined(reasons)}, ${clause(node)}.`;
  return isNext ? `So, ${because}` : capital(because);
}

/** `clauses` with all requests of the user joined into one clause, which is first. */
function withJointRequest(clauses: readonly string[]): string[] {
  const asked = clauses.filter((clause) => clause.startsWith(ASKED));
  const rest = clauses.filter((clause) => !clause.startsWith(ASKED));
  if (asked.length < 2) return [...clauses];
  const what = asked.map((clause) => clause.slice(ASKED.length));
  return [`${ASKED}${what.slice(0, -1).join(', ')} and ${what.at(-1)}`, ...rest];
}

function treeOf(
  root: Incompatibility,
  steps: ReadonlyMap<Incompatibility, Step>,
  numbers: ReadonlyMap<Incompatibility, number>,
  clause: (node: Incompatibility) => string,
): Derivation {
  const shown = new Set<Incompatibility>();
  const branch = (node: Incompatibility, depth: number): Derivation => {
    const text = clause(node);
    const step = steps.get(node);
    if (step === undefined) return { text };
    const line = numbers.get(node);
    if (shown.has(node) && line !== undefined) return { text, see: line };
    shown.add(node);
    const place = line === undefined ? { text } : { text, line };
    if (depth === MAX_DEPTH || shown.size > MAX_LINES) return { ...place, omitted: step.weight };
    const facts = step.facts.map((fact) => ({ text: clause(fact) }));
    facts.sort((a, b) => a.text.length - b.text.length);
    return {
      ...place,
      because: [...facts, ...step.conclusions.map((one) => branch(one, depth + 1))],
    };
  };
  return branch(root, 0);
}

function isBranching(nodes: readonly Incompatibility[]): boolean {
  const byBuild = new Map<number, Incompatibility[]>();
  for (const node of nodes) {
    if (node.cause.kind === 'derived') continue;
    const build = node.cause.kind === 'stack' ? node.cause.build : node.cause.origin.build;
    const versions = node.terms.find((term) => term.build === build)?.versions;
    if (build === undefined || versions === undefined) continue;
    const others = byBuild.get(build) ?? [];
    const isOther = others.some((other) =>
      isDisjoint(other.terms.find((term) => term.build === build)!.versions, versions),
    );
    if (isOther) return true;
    byBuild.set(build, [...others, node]);
  }
  return false;
}

function joined(reasons: readonly string[]): string {
  if (reasons.length < 2) return reasons[0] ?? '';
  return `${reasons.slice(0, -1).join(', ')}, and ${reasons.at(-1)}`;
}

function capital(text: string): string {
  return text.replace(/^[a-z]/, (letter) => letter.toUpperCase());
}
