/** Options that several commands have. */
import { z } from 'zod';
import { MAX_SCAN_SECONDS } from '../../examine/within-time.ts';
import { usageError } from '../errors.ts';

const MAX_PORT = 65_535;
const PORT_FORM = `it must be 0 to ${MAX_PORT}`;

export const repo = z
  .string()
  .default('.')
  .meta({ description: 'the repository', placeholder: 'dir' });

export const out = z
  .string()
  .default('index')
  .meta({ description: 'the index', placeholder: 'dir' });

export const json = z
  .boolean()
  .default(false)
  .meta({ description: 'print the result as JSON on standard output' });

export const threads = z
  .int('it must be a number from 1 to 64')
  .min(1, 'it must be a number from 1 to 64')
  .max(64, 'it must be a number from 1 to 64')
  .optional()
  .meta({
    description: 'threads for examining builds; by default one per core',
    placeholder: 'count',
  });

export const scanSeconds = z
  .int('it must be a number from 1 to 99999')
  .min(1, 'it must be a number from 1 to 99999')
  .max(99_999, 'it must be a number from 1 to 99999')
  .default(MAX_SCAN_SECONDS)
  .meta({
    description: 'processor time that the scan of one build may take',
    placeholder: 'seconds',
  });

/** @param usual the port without the option */
export function port(usual: string): z.ZodOptional<z.ZodInt> {
  return z
    .int(PORT_FORM)
    .min(0, PORT_FORM)
    .max(MAX_PORT, PORT_FORM)
    .optional()
    .meta({ description: `the port; by default ${usual}`, placeholder: 'port' });
}

/**
 * The port of the variable `PORT`, for hosts that set it.
 * @throws {GeneratorError} `ERR_USAGE`
 */
export function portOfVariable(command: string, usual: number): number {
  const text = process.env['PORT'];
  if (text === undefined) return usual;
  const number = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (number <= MAX_PORT) return number;
  throw usageError(command, `Variable "PORT" is ${JSON.stringify(text)}: ${PORT_FORM}`);
}
