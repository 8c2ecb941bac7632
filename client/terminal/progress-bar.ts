/** A progress bar on standard error for interactive terminals; cleared when no request is pending. */
import type { TransferListener } from '../registry/cached.ts';

const WIDTH = 24;
const INTERVAL_MS = 100;
/** Shorter transfers show no bar. */
const DELAY_MS = 300;
const CLEAR_LINE = '\r\u{1B}[K';

interface Screen {
  readonly isTTY?: boolean | undefined;
  readonly write: (text: string) => unknown;
}

/** Whether to show a bar: only on a terminal that can erase a line, and not in CI. */
export function isProgressWanted(
  screen: Screen,
  env: Readonly<Record<string, string | undefined>>,
  isQuiet: boolean,
): boolean {
  const isCi = !['', '0', 'false'].includes(env['CI'] ?? '');
  return screen.isTTY === true && !isQuiet && !isCi && env['TERM'] !== 'dumb';
}

export class ProgressBar implements TransferListener {
  readonly #screen: Screen;
  #begun = 0;
  #ended = 0;
  #bytes = 0;
  #since = 0;
  #timer: NodeJS.Timeout | undefined;
  #isShown = false;

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  readonly begin = (): void => {
    this.#begun += 1;
    if (this.#timer !== undefined) return;
    this.#since = Date.now();
    this.#timer = setInterval(() => this.#show(), INTERVAL_MS).unref();
  };

  readonly bytes = (count: number): void => {
    this.#bytes += count;
  };

  readonly end = (): void => {
    this.#ended += 1;
    if (this.#ended < this.#begun) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    if (this.#isShown) this.#screen.write(CLEAR_LINE);
    this.#isShown = false;
  };

  #show(): void {
    if (!this.#isShown && Date.now() - this.#since < DELAY_MS) return;
    this.#isShown = true;
    this.#screen.write(`${CLEAR_LINE}${formatProgress(this.#ended, this.#begun, this.#bytes)}`);
  }
}

/** One line: `[======>         ] 3 of 7, 1.2 MB`, without colour. */
export function formatProgress(done: number, all: number, bytes: number): string {
  const filled = all === 0 ? 0 : Math.round((done / all) * WIDTH);
  const bar = `${'='.repeat(filled)}${filled < WIDTH ? '>' : ''}`.padEnd(WIDTH);
  return `[${bar}] ${done} of ${all}, ${(bytes / 1_000_000).toFixed(1)} MB`;
}
