/** Options that several commands have. */
import { z } from 'zod';

const MAX_PORT = 65_535;

/** An optional text, such as a path. @param placeholder what it is, for the help */
export function text(placeholder: string, description: string, group?: string): Text {
  return z
    .string()
    .optional()
    .meta({ description, placeholder, ...(group && { group }) });
}
type Text = z.ZodOptional<z.ZodString>;

/** An option that may be repeated. */
export function texts(
  placeholder: string,
  description: string,
  group?: string,
): z.ZodDefault<z.ZodArray<z.ZodString>> {
  return z
    .array(z.string())
    .default([])
    .meta({ description, placeholder, ...(group && { group }) });
}

/** @param excludes the name of an option that may not be given as well */
export function flag(description: string, excludes?: string): z.ZodDefault<z.ZodBoolean> {
  return z
    .boolean()
    .default(false)
    .meta({ description, ...(excludes === undefined ? {} : { excludes }) });
}

/** A whole number; what else it may be, `.default()` or `.optional()`, and what it is stand behind. */
export function whole(least: number, most: number): z.ZodInt {
  const form = `it must be a number from ${least} to ${most}`;
  return z.int(form).min(least, form).max(most, form);
}

export const repo = z
  .string()
  .default('.')
  .meta({ description: 'the repository', placeholder: 'dir' });

export const out = z
  .string()
  .default('index')
  .meta({ description: 'the index', placeholder: 'dir' });

export const json = flag('print the result as JSON on standard output');

export const threads = whole(1, 64).optional().meta({
  description: 'threads for examining builds; by default one per core',
  placeholder: 'count',
});

/** @param usual the port without the option */
export function port(usual: number): z.ZodDefault<z.ZodInt> {
  return whole(0, MAX_PORT).default(usual).meta({ description: 'the port', placeholder: 'port' });
}
