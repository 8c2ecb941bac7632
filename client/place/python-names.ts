/** Names of Python modules. Pure. */
import { ClientError } from '../errors.ts';
import type { BuildPlace } from './layout.ts';
import { characterClass } from '../../format/unicode.ts';

const NAME = new RegExp(`^[${characterClass('L')}_][${characterClass('L', 'N')}_]*$`, 'u');

/** A name by which Python finds a module: absolute, or relative with as many dots. */
export interface ModuleName {
  readonly dots: number;
  readonly path: string;
}

const KEYWORDS = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
);

/** `..a.b` for two dots and the path `a.b`. */
export function formatName({ dots, path }: ModuleName): string {
  return '.'.repeat(dots) + path;
}

/**
 * `a.b` for the folders `a/b`.
 * @param target the module in the project that the name is for
 * @param build the build that the user placed, for the message
 * @throws {ClientError} `ERR_USAGE` for a folder that is no name in Python
 */
export function dottedName(folders: string, target: string, { id }: BuildPlace): string {
  const words = folders === '' ? [] : folders.split('/');
  const wrong = words.find((word) => !isName(word));
  if (wrong === undefined) return words.join('.');
  throw new ClientError(
    'ERR_USAGE',
    `Cannot place the modules of "${id}": Python cannot import "${target}", because "${wrong}" is no name`,
    { hint: 'give a folder of letters, digits and "_" with --to' },
  );
}

function isName(word: string): boolean {
  return NAME.test(word) && !KEYWORDS.has(word);
}
