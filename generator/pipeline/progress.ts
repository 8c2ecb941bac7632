/** How far a run is, for a terminal or another program. */

/** One step of a run; `total` is 0 where it is not known. */
export interface ProgressStep {
  readonly what: string;
  readonly done: number;
  readonly total: number;
}

export interface Progress {
  readonly begin: (what: string, total?: number) => void;
  readonly advance: () => void;
}

const REDRAW_MS = 100;

/**
 * Shows each step when it begins, and how far it is ten times a second.
 * @param now milliseconds, any origin
 */
export function progressTo(show: (step: ProgressStep) => void, now: () => number): Progress {
  let step: ProgressStep = { what: '', done: 0, total: 0 };
  let shown = -Infinity;
  const next = (changed: ProgressStep, isShown: boolean): void => {
    step = changed;
    if (!isShown) return;
    shown = now();
    show(step);
  };
  return {
    begin: (what, total = 0) => next({ what, done: 0, total }, true),
    advance: () => next({ ...step, done: step.done + 1 }, now() - shown >= REDRAW_MS),
  };
}

/** `reading commits: 12 of 911` */
export function formatStep({ what, done, total }: ProgressStep): string {
  return total === 0 ? what : `${what}: ${Math.min(done, total)} of ${total}`;
}

/** One line of a terminal that shows the newest step. @param write where it goes, such as standard error */
export function progressLine(write: (text: string) => void): {
  readonly show: (step: ProgressStep) => void;
  readonly end: () => void;
} {
  let isShown = false;
  return {
    show: (step) => {
      isShown = true;
      write(`\r\u001B[K${formatStep(step)}`);
    },
    end: () => {
      if (isShown) write('\r\u001B[K');
      isShown = false;
    },
  };
}
