/** The problems in the output of type checks and linters, without the numbers of lines, which a change moves. */
import { z } from 'zod';
import { oneLine } from '../terminal/printable.ts';

/** `src/a.ts(3,5): error TS2322: text` of TypeScript, `src/a.ts:3:5 - error TS2322: text`, and `a.py:3: error: text` of mypy. */
const TYPE_ERROR =
  /^(?<file>[^\s(:][^(:\n]*?)(?:\(\d+,\d+\)|:\d+(?::\d+)?)(?: -|:) error(?<text>(?: TS\d+)?:.*)$/gm;

export function typeErrors(output: string, copy: string): string[] {
  return Array.from(withoutPath(output, copy).matchAll(TYPE_ERROR), ({ groups }) => {
    return oneLine(`${groups?.['file']}: error${groups?.['text']}`).slice(0, 300);
  });
}

const LintOutput = z.union([
  z.array(
    z.object({
      filePath: z.string(),
      messages: z.array(z.object({ ruleId: z.string().nullable(), message: z.string() })),
    }),
  ),
  z.array(z.object({ filename: z.string(), code: z.string().nullable(), message: z.string() })),
  z.object({
    diagnostics: z.array(
      z.looseObject({
        filename: z.string().optional(),
        code: z.string().optional(),
        category: z.string().optional(),
        message: z.unknown().optional(),
        location: z.looseObject({ path: z.unknown() }).optional(),
      }),
    ),
  }),
]);

/** The problems in the JSON of eslint, ruff, oxlint or biome, each as `file: rule`; the text would have names that move. */
export function lintProblems(stdout: string, copy: string): string[] {
  const json = stdout.slice(Math.max(0, stdout.search(/[[{]/)));
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return [];
  }
  const read = LintOutput.safeParse(value).data;
  if (read === undefined) return [];
  const rows: (readonly [unknown, unknown])[] = Array.isArray(read)
    ? read.flatMap((one): (readonly [unknown, unknown])[] =>
        'messages' in one
          ? one.messages.map(({ ruleId, message }) => [one.filePath, ruleId ?? message] as const)
          : [[one.filename, one.code ?? one.message]],
      )
    : read.diagnostics.map(({ filename, code, category, location }) => {
        const path = location?.path;
        const file = typeof path === 'object' && path !== null && 'file' in path ? path.file : path;
        return [filename ?? file, code ?? category] as const;
      });
  return rows.map(([file, rule]) =>
    oneLine(`${withoutPath(String(file), copy)}: ${String(rule)}`).slice(0, 300),
  );
}

export function withoutPath(text: string, copy: string): string {
  return text.replaceAll(`${copy}/`, '').replaceAll(copy, '.');
}
