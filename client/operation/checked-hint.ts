/** Ends the hint of a conflict with a command that works: it was resolved before it is printed. */
import type { StackFact } from '../../format/project/declared-stack.ts';
import type { Lock } from '../../format/lock/lock.ts';
import type { Movable } from '../resolve/candidates.ts';
import type { Conflict } from '../resolve/conflict.ts';
import type { BuildRequest } from '../resolve/request.ts';
import { formatRequest } from '../resolve/request.ts';
import type { KnownHeads, Resolved } from './known-heads.ts';
import { updateRequests } from './update-requests.ts';

type Installed = Pick<Lock['builds'][string], 'version' | 'provides' | 'builds'>;

export interface HintInput {
  readonly known: KnownHeads;
  readonly requests: readonly BuildRequest[];
  readonly locked: ReadonlyMap<string, Installed>;
  readonly stack: ReadonlyMap<string, StackFact>;
  readonly lock: Lock | undefined;
  /** Not empty in an update. */
  readonly movable?: ReadonlyMap<string, Movable>;
}

/** Requests of which one is left out to try the others; of more none is tried. */
const MAX_LEFT_OUT = 10;

/** `conflict`, with a command in its hint where one was found that resolves. */
export async function withCheckedHint(conflict: Conflict, input: HintInput): Promise<Conflict> {
  const text = await checkedText(conflict, input);
  if (text === undefined) return conflict;
  return { ...conflict, hint: conflict.hint === undefined ? text : `${conflict.hint}; ${text}` };
}

async function checkedText(
  { code, alternative, shutOut, isHintChecked = false }: Conflict,
  input: HintInput,
): Promise<string | undefined> {
  const { requests, movable } = input;
  const isUpdate = movable !== undefined && movable.size > 0;
  if (alternative !== undefined) {
    return (await solution(alternative.requests, input)) && alternative.text;
  }
  if (isHintChecked || isUpdate || (code !== 'ERR_RESOLVE' && code !== 'ERR_STACK'))
    return undefined;
  if (shutOut !== undefined) return checkedUpdate(shutOut, input);
  if (requests.some(({ range }) => range !== undefined)) {
    const found = await solution(
      requests.map(({ id }) => ({ id, range: undefined })),
      input,
    );
    const chosen = requests.map(({ id }): BuildRequest => {
      return { id, range: found?.versions.get(id)?.version };
    });
    if (found !== undefined) return `these go together: ${addCommand(chosen)}`;
  }
  if (requests.length < 2 || requests.length > MAX_LEFT_OUT) return undefined;
  for (const left of requests.toReversed()) {
    const others = requests.filter((request) => request !== left);
    if ((await solution(others, input)) === undefined) continue;
    return `without "${left.id}" the rest goes together: ${addCommand(others)}`;
  }
  return undefined;
}

/** The update that makes room for the requests, if it works and they can be met then. */
async function checkedUpdate(
  { id, range }: BuildRequest,
  input: HintInput,
): Promise<string | undefined> {
  const { lock, requests } = input;
  if (lock === undefined || range === undefined) return undefined;
  const wanted = updateRequests({ lock, requests: [{ id, range }], latest: false });
  const updated = await solution(wanted.requests, {
    ...input,
    locked: new Map(),
    movable: wanted.movable,
  });
  if (updated === undefined) return undefined;
  const isMet = await solution(requests, { ...input, locked: updated.versions });
  return isMet && `this does: stackyard update "${id}@${range}"`;
}

type Solved = Extract<Resolved, { kind: 'solved' }>;

/** What meets `requests`; `undefined` for a conflict, and where heads for it cannot be had. */
async function solution(
  requests: readonly BuildRequest[],
  { known, locked, stack, movable }: HintInput,
): Promise<Solved | undefined> {
  try {
    const wanted = { requests, locked, stack, ...(movable === undefined ? {} : { movable }) };
    const resolution = await known.resolve(wanted);
    return resolution.kind === 'solved' ? resolution : undefined;
  } catch {
    // The conflict is what the user has to know; a registry that cannot be reached is not.
    return undefined;
  }
}

function addCommand(requests: readonly BuildRequest[]): string {
  return `stackyard add ${requests.map((request) => `"${formatRequest(request)}"`).join(' ')}`;
}
