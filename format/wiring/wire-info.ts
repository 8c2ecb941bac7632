/**
 * The info string of a wired fence, which states where its block goes:
 *
 *     ts wire insert @express routes
 *     py wire append app/urls.py list:ROUTERS
 *
 * A fence whose second word is not `wire` is an ordinary one. Pure.
 */
import { isFilePath, collisionKey } from '../build/file-path.ts';
import type { FileClass } from '../build/consent-classes.ts';
import { consentClass, isSourceKind } from '../build/consent.ts';
import { isNeverWritten } from '../build/protected-path.ts';

export const WIRE_VERBS = ['file', 'import', 'insert', 'append', 'lines'] as const;
type WireVerb = (typeof WIRE_VERBS)[number];

/** Files by what they do: the client looks for them in the project. */
const WIRE_ROLES = ['@express', '@fastapi', '@fastify', '@hono', '@nest'] as const;
export type WireRole = (typeof WIRE_ROLES)[number];

/** In front of a path: below the folder of the app router of Next.js, which is `app` or `src/app`. */
export const NEXT_APP = '@next/';

/** How a block is read: by its language, or as lines of text. */
export type WireLanguage = 'javascript' | 'python' | 'text';

export interface WireAnchor {
  readonly kind: 'routes' | 'list' | 'routers';
  /** Of a list or the application; absent for `routes`. */
  readonly name?: string;
}

export interface WireInfo {
  /** The first word, by which renderers highlight. */
  readonly language: string;
  readonly verb: WireVerb;
  /** A role or a path in the project. */
  readonly target: string;
  readonly anchor?: WireAnchor;
}

/** What is wrong with an info string, as the end of the code of a finding, with the values it quotes. */
interface WireInfoProblem {
  readonly problem: 'language' | 'verb' | 'target' | 'anchor';
  readonly found: string;
  readonly wanted: string;
}

const LANGUAGES: Readonly<Record<string, WireLanguage>> = {
  ts: 'javascript',
  tsx: 'javascript',
  mts: 'javascript',
  typescript: 'javascript',
  js: 'javascript',
  jsx: 'javascript',
  mjs: 'javascript',
  javascript: 'javascript',
  py: 'python',
  python: 'python',
};
const ANCHORS = {
  javascript: {
    insert: ['routes'],
    append: ['list'],
  },
  python: { insert: ['routers'], append: ['list'] },
} as const satisfies Record<string, Partial<Record<WireVerb, readonly WireAnchor['kind'][]>>>;
const NAME = /^[\p{L}_$][\p{L}\p{N}_$]{0,99}$/u;
const ROLE_LANGUAGE: Readonly<Record<WireRole, WireLanguage>> = {
  '@express': 'javascript',
  '@fastify': 'javascript',
  '@hono': 'javascript',
  '@nest': 'javascript',
  '@fastapi': 'python',
};

/** Whether a guide may have wired fences, also with an escape or an entity in the word: the reader loads only then. */
export function mayBeWired(guide: string): boolean {
  return /wire|[&\\]/.test(guide) && (guide.includes('```') || guide.includes('~~~'));
}

/** Whether a guide may have fences of expectations, in the same way. */
export function mayExpect(guide: string): boolean {
  return /expect|[&\\]/.test(guide) && (guide.includes('```') || guide.includes('~~~'));
}

/** How blocks of a language are read. */
export function wireLanguageOf(language: string): WireLanguage {
  return Object.hasOwn(LANGUAGES, language) ? LANGUAGES[language]! : 'text';
}

export function isWireRole(target: string): target is WireRole {
  return (WIRE_ROLES as readonly string[]).includes(target);
}

/** The inverse of `parseWireInfo`. */
export function formatWireInfo({ language, verb, target, anchor }: WireInfo): string {
  const words = [language, 'wire', verb, target];
  if (anchor !== undefined) words.push(formatAnchor(anchor));
  return words.join(' ');
}

/** `list:routes` */
export function formatAnchor({ kind, name }: WireAnchor): string {
  return name === undefined ? kind : `${kind}:${name}`;
}

/** `undefined` for the info string of an ordinary fence. */
export function parseWireInfo(
  info: string,
):
  | { readonly ok: true; readonly info: WireInfo }
  | ({ readonly ok: false } & WireInfoProblem)
  | undefined {
  const [language = '', mark, verb = '', target = '', ...rest] = info.split(/[ \t]+/);
  if (language === 'wire') {
    return fail('language', language, 'the language first, such as "ts wire import @express"');
  }
  if (mark !== 'wire') return undefined;
  if (!(WIRE_VERBS as readonly string[]).includes(verb)) {
    return fail('verb', verb, WIRE_VERBS.join(', '));
  }
  const known = verb as WireVerb;
  const wrongTarget = targetProblem(known, target, wireLanguageOf(language));
  if (wrongTarget !== undefined) return fail('target', target, wrongTarget);
  const code = wireLanguageOf(language);
  const isText = known === 'file' || known === 'lines';
  if (!isText && code === 'text') {
    return fail('language', language, 'one of ts, tsx, js, jsx, py for this verb');
  }
  const wanted = anchorsOf(known, code);
  const found = rest.join(' ');
  const anchor = parseAnchor(rest, wanted);
  if (anchor === undefined) return fail('anchor', found, describeAnchors(wanted));
  return { ok: true, info: { language, verb: known, target, ...anchor } };
}

function fail(
  problem: WireInfoProblem['problem'],
  found: string,
  wanted: string,
): { readonly ok: false } & WireInfoProblem {
  return { ok: false, problem, found, wanted };
}

function targetProblem(verb: WireVerb, target: string, code: WireLanguage): string | undefined {
  if (target.startsWith(NEXT_APP)) {
    const path = inFirstApp(target);
    if (verb !== 'file' || !isFilePath(path)) return `a file such as ${NEXT_APP}auth/route.ts`;
    return wireTargetProblem(path, verb);
  }
  if (target.startsWith('@')) {
    if (!isWireRole(target)) return `one of ${WIRE_ROLES.join(', ')}, or a path in the project`;
    if (verb === 'file' || verb === 'lines') return 'a path in the project for this verb';
    if (ROLE_LANGUAGE[target] !== code) return `a block in the language of ${target}`;
    return undefined;
  }
  if (!isFilePath(target)) return 'a role such as @express, or a relative path in the project';
  return wireTargetProblem(target, verb);
}

/** A path that has the class of the file, wherever the folder is. */
function inFirstApp(target: string): string {
  return `app/${target.slice(NEXT_APP.length)}`;
}

function anchorsOf(verb: WireVerb, code: WireLanguage): readonly WireAnchor['kind'][] {
  if (code === 'text') return [];
  const of: Partial<Record<WireVerb, readonly WireAnchor['kind'][]>> = ANCHORS[code];
  return of[verb] ?? [];
}

function parseAnchor(
  words: readonly string[],
  wanted: readonly WireAnchor['kind'][],
): { readonly anchor?: WireAnchor } | undefined {
  if (wanted.length === 0) return words.length === 0 ? {} : undefined;
  const [word = '', ...more] = words;
  const [kind = '', name, ...parts] = word.split(':');
  if (more.length > 0 || parts.length > 0) return undefined;
  const found = wanted.find((one) => one === kind);
  if (found === undefined) return undefined;
  if (found === 'routes') return name === undefined ? { anchor: { kind: found } } : undefined;
  return name !== undefined && NAME.test(name) ? { anchor: { kind: found, name } } : undefined;
}

function describeAnchors(wanted: readonly WireAnchor['kind'][]): string {
  if (wanted.length === 0) return 'nothing after the target';
  return wanted.map((kind) => (kind === 'routes' ? kind : `${kind}:<name>`)).join(' or ');
}

/** The one file with a dot in front that lines may be added to. */
const IGNORE_FILE = '.gitignore';
/** Classes that no guide writes to, with consent or without: a person does such a step. */
export const STEERING: ReadonlySet<FileClass | undefined> = new Set([
  'agent',
  'ci',
  'git',
  'editor',
]);

/** Why `path` may not be a target, as "what is wanted"; `undefined` where it may. */
export function wireTargetProblem(path: string, verb: string): string | undefined {
  const key = collisionKey(path);
  if (key === IGNORE_FILE && verb === 'lines') return undefined;
  const found = consentClass({ path });
  if (found === 'packages') {
    return 'no manifest and no lock: packages and scripts belong in stackyard.json';
  }
  if (isNeverWritten(path) || STEERING.has(found)) {
    return 'no file that steers CI, agents or tools';
  }
  if (key.split('/').some((part) => part.startsWith('.'))) {
    return 'no file or folder with a dot in front, except lines in .gitignore';
  }
  return undefined;
}

/** A wired block with the file that it goes into. */
interface WiredText {
  readonly verb: string;
  /** A path of the project, or a role, which stands for code of the project. */
  readonly target: string;
  readonly text: string;
  /** Whether the project has the file; by default, as the verb requires it. */
  readonly isThere?: boolean;
}

/**
 * The class of the consent that putting the block in needs. Lines of `.gitignore` need none, unless they take a file out of
 * what is ignored. Source code at the root of the project that is there already is the project's own.
 */
export function wireConsent({ verb, target, text, isThere }: WiredText): FileClass | undefined {
  if (isWireRole(target)) return undefined;
  if (collisionKey(target) === IGNORE_FILE) return /^!/m.test(text) ? 'git' : undefined;
  const path = target.startsWith(NEXT_APP) ? inFirstApp(target) : target;
  const found = consentClass({ path, text });
  const isOwnCode = isThere ?? (verb !== 'file' && verb !== 'lines');
  return found === 'root' && isOwnCode && isSourceKind(target) ? undefined : found;
}
