/**
 * Carries out the wired steps of a build: each completely or not at all. What was carried out before is replaced,
 * merged with the edits of the user, or left. Pure.
 */
import type { LockedWiring } from '../../format/project/lock.ts';
import type { WireBlock, WiredStep } from '../../format/wiring/wiring.ts';
import { formatAnchor } from '../../format/wiring/wire-info.ts';
import { integrityOf } from '../../format/archive/integrity.ts';
import type { WiringConflict, WiringEntry } from '../plan/planned-entries.ts';
import { type BuildContext, placeBlock } from './place-block.ts';
import type { Placed } from './place-file.ts';
import { openCode } from './open-code.ts';
import type { ProjectTexts } from './project-texts.ts';
import { takeOutEntries } from './take-out-entries.ts';
import { updateBlock, type Updated } from './update-block.ts';

export interface BuildWiring {
  readonly id: string;
  readonly steps: readonly WiredStep[];
  readonly context: BuildContext;
  /** Why a tag that a block imports from stands for no build. */
  readonly tagProblem?: (block: WireBlock) => string | undefined;
  /** What the lock has of this build. */
  readonly previous: readonly LockedWiring[];
  /** Whether text that the user removed is put in again: the user asked for it. */
  readonly isRepeated: boolean;
  /** Keep the side of the user where both changed a text. */
  readonly onConflict: 'fail' | 'ours';
  /** What the text of a build can do that it could not before. Absent where the user has agreed to whatever it is. */
  readonly gainOf?:
    | ((before: readonly LockedWiring[], after: readonly LockedWiring[]) => readonly string[])
    | undefined;
}

export interface WiredBuild {
  readonly entries: readonly WiringEntry[];
  readonly locked: readonly LockedWiring[];
  readonly conflicts: readonly WiringConflict[];
}

/** Carries out the steps in `texts`. */
export function wireBuild(build: BuildWiring, texts: ProjectTexts): WiredBuild {
  const run = new BuildRun(build, texts);
  for (const step of build.steps) run.step(step);
  run.takeOutRest();
  return run;
}

/** Blocks of the same place in both versions have the same key. */
function keyOf({ verb, target, anchor }: Pick<LockedWiring, 'verb' | 'target' | 'anchor'>): string {
  return `${verb} ${target} ${anchor ?? ''}`;
}

function keyOfBlock(block: WireBlock): string {
  const { verb, target } = block;
  return keyOf({ verb, target, ...anchorOf(block) });
}

function anchorOf({ anchor }: WireBlock): { readonly anchor?: string } {
  return anchor === undefined ? {} : { anchor: formatAnchor(anchor) };
}

interface Result {
  readonly block: WireBlock;
  readonly placed: Placed | Updated;
  /** What the lock has of the block. */
  readonly old: LockedWiring | undefined;
}

class BuildRun implements WiredBuild {
  readonly entries: WiringEntry[] = [];
  readonly locked: LockedWiring[] = [];
  readonly conflicts: WiringConflict[] = [];
  readonly #build: BuildWiring;
  readonly #texts: ProjectTexts;
  #previous: LockedWiring[];
  /** As the files of the project had it before the first step. */
  readonly #before: readonly LockedWiring[];
  /** Files that a step could not create: what imports them has no place. */
  readonly #missing: string[] = [];
  #isHeld = false;

  constructor(build: BuildWiring, texts: ProjectTexts) {
    this.#build = build;
    this.#texts = texts;
    this.#previous = [...build.previous];
    this.#before = standing(build.previous, texts);
  }

  step(step: WiredStep): void {
    const reasons: string[] = [];
    let file: string | undefined;
    for (const blocks of this.#inOrder(step)) {
      const trial = this.#texts.copy();
      const pool = [...this.#previous];
      const results = blocks.map((block) => this.#place(block, trial, pool));
      const conflict = results.find(({ placed }) => placed.kind === 'conflict');
      if (conflict !== undefined) {
        const { file: target } = conflict.placed;
        const entry = { build: this.#build.id, step: step.number, text: step.text };
        this.conflicts.push({ ...entry, file: target, why: whyOf(conflict.placed) });
        this.#previous = pool;
        return;
      }
      const failed = results.find(({ placed }) => placed.kind === 'by_hand')?.placed;
      if (failed === undefined) {
        const gains = this.#gainsOf(step, results, pool);
        if (gains.length > 0) this.#hold(step, results, pool, gains);
        else this.#commit(step, results, trial, pool);
        return;
      }
      file ??= failed.file;
      reasons.push(whyOf(failed));
    }
    const why = [...new Set(reasons)].join('; otherwise: ');
    this.#leave(step, file, step.isBroken ? 'a fence of the step is not valid' : why);
  }

  /** Takes out what only the previous version had. */
  takeOutRest(): void {
    const { id } = this.#build;
    if (this.#isHeld) {
      // What a step would replace stays as long as the step waits.
      this.locked.push(...this.#previous);
      const why = 'another step, which may replace it, waits for your yes';
      for (const { step, file, text } of this.#previous) {
        this.entries.push({ build: id, step, file, text: text.trim(), action: 'left', why });
      }
    } else {
      const taken = takeOutEntries(id, this.#previous, this.#texts);
      const isGone = ({ action }: WiringEntry): boolean => action === 'removed';
      this.entries.push(...taken.map((one) => (isGone(one) ? { ...one, before: one.text } : one)));
    }
    this.#previous = [];
  }

  /** The alternative that was carried out before comes first. */
  #inOrder({ alternatives, isBroken }: WiredStep): readonly (readonly WireBlock[])[] {
    if (isBroken) return [];
    const known = new Set(this.#previous.map(keyOf));
    const isKnown = (blocks: readonly WireBlock[]): boolean =>
      blocks.every((block) => known.has(keyOfBlock(block)));
    return [...alternatives].sort((a, b) => Number(isKnown(b)) - Number(isKnown(a)));
  }

  #place(block: WireBlock, texts: ProjectTexts, pool: LockedWiring[]): Result {
    const missing = this.#missing.find((path) => mentions(block.text, path));
    if (missing !== undefined) {
      const why = `"${missing}" was not created`;
      return { block, placed: { kind: 'by_hand', file: block.target, why }, old: undefined };
    }
    const at = pool.findIndex((entry) => keyOf(entry) === keyOfBlock(block));
    const { context, isRepeated, onConflict, tagProblem } = this.#build;
    const why = tagProblem?.(block);
    if (at < 0) {
      const byHand = { kind: 'by_hand', file: block.target, why: why ?? '' } as const;
      const placed = why === undefined ? placeBlock(block, texts, context) : byHand;
      return { block, placed, old: undefined };
    }
    const [old] = pool.splice(at, 1);
    if (why !== undefined) return { block, placed: withoutTag(block, old!, why), old };
    const namesIn = (file: string): ReadonlySet<string> => this.#namesIn(file);
    const input = { context, isRepeated, onConflict, namesIn };
    return { block, placed: updateBlock(block, old!, texts, input), old };
  }

  /** What a step can do, together with all other text of the build, that its wired text cannot do now. */
  #gainsOf(
    { number }: WiredStep,
    results: readonly Result[],
    pool: readonly LockedWiring[],
  ): readonly string[] {
    const { gainOf } = this.#build;
    if (gainOf === undefined || !results.some(isChange)) return [];
    const others = standing([...this.locked, ...pool], this.#texts);
    const after = results.flatMap((result) => lockedOf(number, result) ?? []);
    return gainOf(this.#before, [...others, ...after]);
  }

  /** Leaves the text of a step as it is. */
  #hold(
    step: WiredStep,
    results: readonly Result[],
    pool: LockedWiring[],
    gains: readonly string[],
  ): void {
    this.#isHeld = true;
    for (const { block } of results) {
      const isNew = block.verb === 'file' && this.#texts.get(block.target) === undefined;
      if (isNew) this.#missing.push(block.target);
    }
    this.locked.push(...results.flatMap(({ old }) => old ?? []));
    this.#previous = pool;
    const why = `its new text can ${gains.join(', ')}`;
    for (const { placed, ...result } of results.filter(isChange)) {
      if (!('text' in placed)) continue;
      const { file, text } = placed;
      const entry = { build: this.#build.id, step: step.number, file, text: text.trim() };
      this.entries.push({ ...entry, ...beforeOf(result.old), action: 'held', why, gains });
    }
  }

  /** What the previous wiring imported into a file. */
  #namesIn(path: string): Set<string> {
    const imports = this.#build.previous.filter(
      ({ verb, file }) => verb === 'import' && file === path,
    );
    return new Set(imports.flatMap(({ text }) => [...(openCode(path, text)?.names ?? [])]));
  }

  #commit(
    step: WiredStep,
    results: readonly Result[],
    trial: ProjectTexts,
    pool: LockedWiring[],
  ): void {
    for (const [path, text] of trial.changes()) this.#texts.set(path, text);
    this.#previous = pool;
    for (const result of results) {
      const { placed, old } = result;
      const locked = lockedOf(step.number, result);
      if (placed.kind === 'by_hand' || placed.kind === 'conflict') continue;
      const { file, text, kind } = placed;
      const entry = { build: this.#build.id, step: step.number, file, text: text.trim() };
      if (kind === 'gone') {
        this.entries.push({ ...entry, action: 'left', why: 'you removed it: it stays removed' });
        continue;
      }
      const before = isChange(result) ? beforeOf(old) : {};
      this.entries.push({ ...entry, ...before, action: kind === 'unchanged' ? 'kept' : kind });
      if (locked !== undefined) this.locked.push(locked);
    }
  }

  #leave(step: WiredStep, file: string | undefined, why: string): void {
    for (const { verb, target } of step.alternatives.flat())
      if (verb === 'file') this.#missing.push(target);
    if (this.#build.isRepeated) this.#keep(step);
    const target = file ?? step.alternatives[0]?.[0]?.target ?? '';
    const entry = { build: this.#build.id, step: step.number, file: target, text: step.text };
    this.entries.push({ ...entry, action: 'by_hand', why });
  }

  /** What is in the files of the same step stays: the user asked for more, and not for less. */
  #keep({ alternatives }: WiredStep): void {
    const keys = new Set(alternatives.flat().map(keyOfBlock));
    const isOfStep = (entry: LockedWiring): boolean => keys.has(keyOf(entry));
    this.locked.push(...this.#previous.filter(isOfStep));
    this.#previous = this.#previous.filter((entry) => !isOfStep(entry));
  }
}

/** Recorded text as far as its file has its lines: the lock may come from others, and claim more than was ever there. */
function standing(entries: readonly LockedWiring[], texts: ProjectTexts): LockedWiring[] {
  return entries.flatMap((entry) => {
    const file = texts.get(entry.file) ?? '';
    const lines = entry.text.split('\n').filter((line) => file.includes(line.trim()));
    const text = lines.join('\n');
    return text.trim() === '' ? [] : [{ ...entry, text }];
  });
}

/** Whether the text in the project becomes another one. */
function isChange({ placed }: Pick<Result, 'placed'>): boolean {
  return placed.kind === 'added' || placed.kind === 'replaced';
}

function beforeOf(old: LockedWiring | undefined): { readonly before?: string } {
  return old === undefined || old.action === 'kept' ? {} : { before: old.text.trim() };
}

/** What the lock has of a block afterwards; `undefined` for nothing. */
function lockedOf(step: number, { block, placed }: Result): LockedWiring | undefined {
  if (placed.kind === 'by_hand' || placed.kind === 'conflict' || placed.kind === 'gone') {
    return undefined;
  }
  const { file, text, kind } = placed;
  const { verb, target } = block;
  const wasKept = placed.kind === 'unchanged' && placed.wasKept;
  const action = kind === 'kept' || wasKept ? 'kept' : 'added';
  const digest = integrityOf(Buffer.from(block.text));
  return { step, verb, target, ...anchorOf(block), block: digest, file, text, action };
}

/** The wired text stays where it is of the same block; new text cannot be written. */
function withoutTag(
  block: WireBlock,
  { block: before, file, text, action }: LockedWiring,
  why: string,
): Updated {
  const isSame = before === integrityOf(Buffer.from(block.text));
  if (!isSame) return { kind: 'conflict', file, why };
  return { kind: 'unchanged', file, text, wasKept: action === 'kept' };
}

function whyOf(placed: Placed | Updated): string {
  return 'why' in placed ? placed.why : '';
}

/** Whether a block names the module of the file at `path`. */
function mentions(text: string, path: string): boolean {
  const stem = (path.split('/').at(-1) ?? '').replace(/\.[^.]+$/, '');
  return new RegExp(`(?<![\\w.-])${stem.replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&')}(?![\\w-])`).test(
    text,
  );
}
