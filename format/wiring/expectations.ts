/**
 * The requests of an INTEGRATION.md that show that a build works, and the answers that it promises. A fence `http expect` has
 * one request on a line; the client, `check` and the measurements send them to the started application, in their order.
 *
 *     ```http expect
 *     POST /auth/register {"email":"a@example.com","password":"12345678"} -> 201, $token = token
 *     GET /auth/me [Authorization: Bearer $token] -> 200, user.email = "a@example.com"
 *     GET /auth/me -> 401 missing_token
 *     ```
 *
 * Hostile input: a line has no host, so that a request can only reach the application itself. Pure.
 */
import { z } from 'zod';
import { INTEGRATION_FILE } from '../build/build-files.ts';
import { printable } from '../build/file-path.ts';
import { at, finding, type Finding } from '../finding/finding.ts';
import { readGuide } from './markdown.ts';
import { mayExpect } from './wire-info.ts';

/** Requests of one guide, and characters of one line. */
const MAX_REQUESTS = 50;
const MAX_LINE = 4_000;
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/** A path on the application: no host, no way up, nothing that ends the line of a request. */
const RequestPath = z
  .string()
  .max(1_000)
  .regex(/^\/(?![/\\])[!-~]*$/, { error: 'a path on the application, such as /auth/me' })
  .refine((path) => !/[\\#]|(?:^|\/)\.\.?(?:[/?]|$)|%2e|%2f|%5c|%0[ad]/i.test(path), {
    error: 'a path on the application, such as /auth/me',
  });
/** What frames a message, or states for whom it is, is not up to a guide. */
const HEADER =
  /^(?!(?:host|connection|content-length|transfer-encoding|upgrade|expect|te|trailer|keep-alive|via|forwarded|origin|proxy-.*|sec-.*|x-forwarded-.*|x-real-ip)$)[a-z][a-z0-9-]{0,60}$/i;
const HeaderValue = z
  .string()
  .max(500)
  .regex(/^[ -~]*$/);
/** `user.email`: names of members, and numbers of items. */
const MemberPath = z
  .string()
  .max(200)
  .regex(/^[A-Za-z_][\w-]*(?:\.[\w-]+)*$/);
const Name = z.string().regex(/^[a-z][a-z0-9_]{0,39}$/i);

const Expectation = z.object({
  method: z.enum(METHODS),
  path: RequestPath,
  headers: z.array(z.tuple([z.string().regex(HEADER), HeaderValue])).max(10),
  /** JSON text. */
  body: z.string().max(MAX_LINE).optional(),
  status: z.int().min(100).max(599),
  /** The code of an error: the member `error.code`, `code` or `error` of the answer. */
  code: z.string().max(100).optional(),
  /** Members of the JSON of the answer, with the JSON text that they must have. */
  members: z.array(z.object({ path: MemberPath, value: z.string() })).max(10),
  /** Members that later requests use as `$name`, in their path, headers and body. */
  captures: z.array(z.object({ name: Name, path: MemberPath })).max(10),
  /** Line in the guide, counted from 1. */
  line: z.int().min(1),
});
export type Expectation = z.infer<typeof Expectation>;

export interface Expectations {
  readonly requests: readonly Expectation[];
  /** What is wrong with fences of expectations, in their order: then no request of the guide is sent. */
  readonly findings: readonly Finding[];
}

/** Reads the fences `http expect` that pages show. */
export function parseExpectations(guide: string): Expectations {
  const requests: Expectation[] = [];
  const findings: Finding[] = [];
  if (!mayExpect(guide)) return { requests, findings };
  const known = new Set([RUN_NAME]);
  for (const fence of readGuide(guide).fences) {
    if (!/^http[ \t]+expect$/.test(fence.info)) continue;
    const problem =
      fence.hidden === undefined
        ? fence.isQuoted || !fence.isClosed
          ? 'a fence of its own, with its closing marks'
          : undefined
        : 'a fence that pages show';
    if (problem !== undefined) findings.push(found(fence.line, 'http expect', problem));
    for (const [index, text] of problem === undefined ? fence.text.split('\n').entries() : []) {
      const line = fence.line + 1 + index;
      if (text.trim() === '' || text.startsWith('#')) continue;
      const read = parseLine(text.trim(), line, known);
      if (typeof read === 'string') findings.push(found(line, text, read));
      else if (requests.length === MAX_REQUESTS)
        return {
          requests,
          findings: [...findings, found(line, text, `at most ${MAX_REQUESTS} requests`)],
        };
      else requests.push(read);
    }
  }
  return { requests, findings };
}

/** `POST /auth/register -> 201` */
export function formatExpectation({ method, path, status, code }: Expectation): string {
  return `${method} ${path} -> ${status}${code === undefined ? '' : ` ${code}`}`;
}

const FORM =
  '<METHOD> /path [Header: value] {"json":1} -> <status> [code][, member = json][, $name = member]';

/** A name that every request can use: text that is another one in each run, for what must not exist yet. */
export const RUN_NAME = 'run';

/** One request, or what is wanted instead. @param known names that earlier requests capture; grows */
function parseLine(text: string, line: number, known: Set<string>): Expectation | string {
  if (text.length > MAX_LINE) return `at most ${MAX_LINE} characters`;
  // oxlint-disable-next-line no-control-regex
  if (/[\0-\x1F\x7F]/.test(text)) return 'no control characters';
  const arrow = text.lastIndexOf(' -> ');
  const [, method = '', path = '', rest = ''] =
    /^(\S+) +(\S+)(.*)$/.exec(text.slice(0, arrow)) ?? [];
  if (arrow < 0 || method === '') return FORM;
  const headers: [string, string][] = [];
  let body = rest.trim();
  for (let match; (match = /^\[([^\]:]+):[ \t]*([^\]]*)\]/.exec(body)) !== null;) {
    headers.push([match[1]!, match[2]!]);
    body = body.slice(match[0].length).trim();
  }
  if (body !== '' && !isJson(body)) return 'JSON after the path and the headers';
  const [, status = '', code, parts = ''] =
    /^(\d{3})(?: +([A-Za-z][\w.:-]*))?((?:,.*)?)$/.exec(text.slice(arrow + 4).trim()) ?? [];
  const answer = readAnswer(parts);
  if (status === '' || typeof answer === 'string')
    return typeof answer === 'string' ? answer : FORM;
  const used = [path, body, ...headers.flat()].flatMap((one) => variablesIn(one));
  const unknown = used.find((name) => !known.has(name));
  if (unknown !== undefined) return `a name that an earlier request has: "$${unknown}" is none`;
  const read = Expectation.safeParse({
    method,
    path,
    headers,
    ...(body === '' ? {} : { body }),
    status: Number(status),
    ...(code === undefined ? {} : { code }),
    ...answer,
    line,
  });
  if (!read.success) return wantedOf(String(read.error.issues[0]?.path[0]));
  for (const { name } of read.data.captures) known.add(name);
  return read.data;
}

/** `, user.email = "a", $token = token`: a comma in a JSON text is part of it. */
function readAnswer(text: string): Pick<Expectation, 'members' | 'captures'> | string {
  const members: Expectation['members'] = [];
  const captures: Expectation['captures'] = [];
  const pieces = text === '' ? [] : text.slice(1).split(',');
  while (pieces.length > 0) {
    let piece = pieces.shift()!;
    const [, left = '', first = ''] = /^\s*([$\w.-]+)\s*=\s*(.*)$/.exec(piece) ?? [];
    if (left === '')
      return 'after the status only "member = json" and "$name = member", with commas between them';
    if (left.startsWith('$')) {
      captures.push({ name: left.slice(1), path: first.trim() });
      continue;
    }
    piece = first;
    while (!isJson(piece) && pieces.length > 0) piece += `,${pieces.shift()!}`;
    if (!isJson(piece)) return `JSON after "${printable(left)} ="`;
    members.push({ path: left, value: piece.trim() });
  }
  return { members, captures };
}

function wantedOf(field: string): string {
  if (field === 'method') return `one of ${METHODS.join(', ')}`;
  if (field === 'path') return 'a path on the application, such as /auth/me: no host, no ".."';
  if (field === 'headers') return 'at most 10 headers, none that frames a message or names a host';
  if (field === 'status') return 'a status from 100 to 599';
  return FORM;
}

/** The names that `text` uses as `$name`. */
export function variablesIn(text: string): string[] {
  return Array.from(text.matchAll(/\$([a-z][a-z0-9_]{0,39})/gi), ([, name = '']) => name);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function found(line: number, text: string, wanted: string): Finding {
  const args = { found: printable(text.slice(0, 200)), wanted };
  return at(finding('expectations-line', INTEGRATION_FILE, args), { line, column: 1, length: 0 });
}
