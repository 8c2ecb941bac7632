/**
 * The origin of a registry: a stable name in the form of a host and a path, the same at all its mirrors.
 *
 *     registry.example/main        127.0.0.1:4173        localhost/home/me/index (a folder)
 *
 * It comes from `registry.json`, which a hostile server may have written: it is a claim, never a proof.
 */
import { z } from 'zod';

export const MAX_ORIGIN_LENGTH = 200;

const HOST = /^(?:\[[0-9a-f:.]+\]|[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?)(?::\d{1,5})?$/;
const SEGMENT = /^(?!\.{1,2}$)[\w.~%@+:-]+$/;

/** The schema of an origin that a registry states. */
export const Origin = z
  .string()
  .refine(isOrigin, { error: 'not a host and a path, such as "registry.example/main"' });

/** Whether `text` is a host with an optional port and path, in lower case up to the path, without `/` at the end. */
export function isOrigin(text: string): boolean {
  const [host = '', ...path] = text.split('/');
  return (
    text.length <= MAX_ORIGIN_LENGTH && HOST.test(host) && path.every((part) => SEGMENT.test(part))
  );
}

/**
 * The origin of a registry that states none: host and path of its address. A folder is at `localhost`.
 * @returns printable ASCII; `?`, which is no origin, for a text that is no address
 * @example originOf('https://registry.example/main/') // 'registry.example/main'
 */
export function originOf(address: string): string {
  if (!URL.canParse(address)) return '?';
  const { protocol, host, pathname } = new URL(address);
  let end = pathname.length;
  while (pathname[end - 1] === '/') end -= 1;
  return `${protocol === 'file:' ? 'localhost' : host}${pathname.slice(0, end)}`;
}

/** The origin of a registry at an address: the one that it states, otherwise host and path of its public address. */
export function statedOrigin(
  info: { readonly origin?: string | undefined; readonly base_url: string } | undefined,
  address: string,
): string {
  const derived = originOf(info?.base_url ?? '');
  return info?.origin ?? (isOrigin(derived) ? derived : originOf(address));
}
