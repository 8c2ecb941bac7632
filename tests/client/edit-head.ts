/** Heads as hosts serve them. */
import { parseDocument } from '../../format/document/document.ts';
import { expandHead, formatHead, HeadDocument } from '../../format/index/head-document.ts';
import type { Head } from '../../format/index/record.ts';

/** The text of a head without older documents, after `change`. */
export function editHead(text: string | Uint8Array, change: (head: Head) => void): string {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  const head = expandHead(parseDocument(HeadDocument, bytes, 'the head'), []);
  change(head);
  return formatHead(head).text;
}
