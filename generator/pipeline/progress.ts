/** A progress bar on a terminal, shown when a run takes more than a second. */

export interface Progress {
  readonly begin: (total: number) => void;
  readonly advance: () => void;
  readonly end: () => void;
}

const QUIET_MS = 1_000;
const REDRAW_MS = 100;
const WIDTH = 30;

/** @param write where the bar goes, such as standard error @param now milliseconds, any origin */
export function progressBar(write: (text: string) => void, now: () => number): Progress {
  const started = now();
  let total = 0;
  let done = 0;
  let drawn = 0;
  return {
    begin: (count) => (total = count),
    advance: () => {
      done += 1;
      const time = now();
      if (time - started < QUIET_MS || time - drawn < REDRAW_MS) return;
      drawn = time;
      const share = total === 0 ? 1 : Math.min(1, done / total);
      const full = Math.round(share * WIDTH);
      write(`\r[${'#'.repeat(full)}${'.'.repeat(WIDTH - full)}] ${done}/${total} commits`);
    },
    end: () => {
      if (drawn > 0) write(`\r${' '.repeat(WIDTH + 40)}\r`);
    },
  };
}
