/** What a run of the generator tells the process that serves its index, where that started this one; this one ends with it. */
import {
  type Progress,
  progressLine,
  progressTo,
  type ProgressStep,
} from '../pipeline/progress.ts';
import { LISTENS, type GeneratorMessage } from './generator-process.ts';

/** To that process, where there is one. */
export function tell(message: GeneratorMessage): void {
  if (isHeard() && process.connected) process.send?.(message);
}

function isHeard(): boolean {
  return process.send !== undefined && process.env[LISTENS] === '1';
}

/** Steps go to that process, or to a terminal. */
export function openProgress(): { progress?: Progress; end: () => void } {
  if (isHeard()) {
    process.once('disconnect', () => process.exit(1));
    process.channel?.unref();
    const send = (step: ProgressStep): void => tell({ step });
    return { progress: progressTo(send, Date.now), end: () => {} };
  }
  if (!process.stderr.isTTY) return { end: () => {} };
  const line = progressLine((text) => void process.stderr.write(text));
  return { progress: progressTo(line.show, Date.now), end: line.end };
}
