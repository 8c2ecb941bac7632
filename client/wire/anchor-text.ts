/** Anchors as the lock records them: `list:ROUTES`. Pure. */
import type { WireAnchor } from '../../format/wiring/wire-info.ts';

const KINDS = ['routes', 'list', 'routers'] as const;

/** The inverse of `formatAnchor`; `undefined` for no anchor. */
export function parseAnchorText(text: string | undefined): WireAnchor | undefined {
  const [kind, name] = (text ?? '').split(':');
  const known = KINDS.find((one) => one === kind);
  if (known === undefined) return undefined;
  return name === undefined ? { kind: known } : { kind: known, name };
}
