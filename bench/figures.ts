// Formats the figures of the auth service benchmark.

import { loadavg } from 'node:os';

/** Failures by name, with their number. */
export function describe(failures: ReadonlyMap<string, number>): string {
  return [...failures].map(([name, count]) => `${count} x ${name}`).join(', ');
}

/** With one decimal below 100, otherwise a whole number. */
export function figure(value: number): string {
  return value.toFixed(value < 100 ? 1 : 0);
}

/** The load average of the last minute. */
export function readLoadAverage(): string {
  return (loadavg()[0] ?? 0).toFixed(1);
}

/** One line of the report. */
export function print(name: string, value: string): void {
  console.log(`${name.padEnd(44)} ${value}`);
}
