/** The issue form of a report or flag, as the code host writes a filled one, and what it is about. */
import { PublishedHistory } from '../../generator/gate/registry.ts';
import { ObjectReader } from '../../generator/git/object-reader.ts';
import { openRepository } from '../../generator/git/repository.ts';

export const ID = 'alice/web-forms';

/** The digest of its version 1.0.0, as a registry's repository has it. */
export async function integrityOf(folder: string): Promise<string> {
  const repository = await openRepository(folder);
  const reader = new ObjectReader(repository.folder);
  try {
    const history = await PublishedHistory.read(repository, reader, ID);
    return (await history.find('1.0.0'))?.integrity ?? '';
  } finally {
    reader.close();
  }
}

/** A report of success, with `answers` on top. */
export function formBody(
  integrity: string,
  answers: Readonly<Record<string, string>> = {},
): string {
  const all = { Build: ID, Version: '1.0.0', Integrity: integrity, Outcome: 'success', ...answers };
  const lines = Object.entries({ Note: '_No response_', ...all });
  return lines.map(([label, text]) => `### ${label}\r\n\r\n${text}\r\n\r\n`).join('');
}
