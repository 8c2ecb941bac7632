/** Work that a visitor starts with each letter: it begins at once after a pause, and only the latest answer is shown. */

const PAUSE_MS = 150;

interface LatestOnly<Input> {
  /** Starts the work, now or after a pause. */
  (input: Input, now: boolean): void;
  /** Drops what is under way. */
  readonly cancel: () => void;
}

/**
 * @param work an answer that another call has overtaken is dropped
 * @param show gets the answer, or `undefined` when the work failed
 */
export function latestOnly<Input, Answer>(
  work: (input: Input) => Promise<Answer>,
  show: (answer: Answer | undefined, input: Input) => void,
): LatestOnly<Input> {
  let calls = 0;
  let quietFrom = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const run = async (input: Input): Promise<void> => {
    calls += 1;
    const call = calls;
    const answer = await work(input).catch(() => undefined);
    if (call === calls) show(answer, input);
  };
  const start = (input: Input, now: boolean): void => {
    clearTimeout(timer);
    const isQuiet = performance.now() >= quietFrom;
    quietFrom = performance.now() + PAUSE_MS;
    if (now || isQuiet) void run(input);
    else timer = setTimeout(() => void run(input), PAUSE_MS);
  };
  const cancel = (): void => {
    clearTimeout(timer);
    calls += 1;
    quietFrom = 0;
  };
  return Object.assign(start, { cancel });
}
