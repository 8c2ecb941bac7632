/**
 * The style sheet with what shadcn would write into the style sheet of a project with Tailwind 4: `cssVars` and `css`.
 * Pure.
 */
import type { ShadcnItem } from '../../format/shadcn/shadcn-item.ts';

/** Values that a utility such as `bg-brand` can be made of. */
const COLOR = /^(?:#|(?:hsla?|rgba?|hwb|oklch|oklab|lch|lab|color)\()/i;
/** The form of Tailwind 3: `0 0% 100%`. */
const HSL_PARTS = /^-?[\d.]+(?:deg)?\s+[\d.]+%\s+[\d.]+%(?:\s*\/\s*[\d.]+%?)?$/;

/** Nested deeper than this is left out: no style sheet is. */
const MAX_DEPTH = 32;

type Rules = Readonly<Record<string, unknown>>;

/** `undefined` for an item without styles. */
export function styleSheet({ cssVars = {}, css = {} }: ShadcnItem): string | undefined {
  const { theme = {}, light = {}, dark = {} } = cssVars;
  const inline = new Map(Object.entries(theme).map(([name, value]) => [property(name), value]));
  for (const [name, value] of Object.entries({ ...dark, ...light })) {
    const variable = property(name);
    const utility = `--color-${variable.slice(2)}`;
    if (isColor(value) && !inline.has(utility)) inline.set(utility, `var(${variable})`);
  }
  const rules = Object.entries(css);
  // Everything else has to follow them.
  const imports = rules.filter(([name]) => name.startsWith('@import'));
  const others = rules.filter(([name]) => !name.startsWith('@import'));
  const blocks = [
    ...imports.map(([name, value]) => printRule(name, value, 0)),
    block('@theme inline', [...inline]),
    block(':root', variables(light)),
    block('.dark', variables(dark)),
    ...others.map(([name, value]) => printRule(name, value, 0)),
  ].filter((text) => text !== '');
  return blocks.length === 0 ? undefined : blocks.join('\n');
}

function variables(values: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(values).map(([name, value]) => {
    return [property(name), HSL_PARTS.test(value) ? `hsl(${value})` : value];
  });
}

function block(selector: string, declarations: readonly (readonly [string, string])[]): string {
  if (declarations.length === 0) return '';
  return `${selector} {\n${declarations.map(([name, value]) => `  ${name}: ${value};\n`).join('')}}\n`;
}

function printRule(name: string, value: unknown, depth: number): string {
  const indent = '  '.repeat(depth);
  if (typeof value === 'string') {
    return value === '' && name.startsWith('@')
      ? `${indent}${name};\n`
      : `${indent}${name}: ${value};\n`;
  }
  if (Array.isArray(value)) {
    return value.map((one) => printRule(name, one, depth)).join('');
  }
  if (typeof value !== 'object' || value === null || depth >= MAX_DEPTH) return '';
  const inner = Object.entries(value as Rules)
    .map(([key, one]) => printRule(key, one, depth + 1))
    .join('');
  if (inner === '' && name.startsWith('@')) return `${indent}${name};\n`;
  return `${indent}${name} {\n${inner}${indent}}\n`;
}

function property(name: string): string {
  return name.startsWith('--') ? name : `--${name}`;
}

function isColor(value: string): boolean {
  return COLOR.test(value) || HSL_PARTS.test(value);
}
