/** Puts questions to the user on standard error, where someone can answer. */
import { createInterface } from 'node:readline/promises';
import { ClientError } from '../errors.ts';
import { parsePlacement } from '../plan/place/placement-folder.ts';
import { type Answer, type Ask, otherFolder } from '../plan/question.ts';
import { printable } from './printable.ts';
import { type Asked, textOf } from './questions.ts';

/** Prints `lines` and asks for a line of text; the arrow keys bring `words` into it. */
type Read = (
  lines: readonly string[],
  prompt: string,
  words?: readonly string[],
) => Promise<string>;

/**
 * What was typed ahead answers the questions that come later.
 * @param isYes whether `--yes` answers: then every other question is as one that nobody can answer
 */
export function openAsk(isAnswerable: boolean, isYes: boolean, signal: AbortSignal): Ask {
  const ahead: string[] = [];
  return async (questions) => {
    const isRead = isAnswerable && !isYes && questions.length > 0;
    const reader = isRead ? openReader(signal, ahead) : undefined;
    try {
      return await askWith(reader?.read, isYes)(questions);
    } finally {
      reader?.close();
    }
  };
}

/** Puts questions to who is behind `read`; `undefined` for nobody. */
export function askWith(read: Read | undefined, isYes = false): Ask {
  return async (questions) => {
    const answers: Answer[] = [];
    for (const question of questions) {
      const build = question.about === 'file' ? question.file.build : undefined;
      const isMoved = answers.some((one) => {
        const other = one.question.about === 'file' ? one.question.file.build : undefined;
        return otherFolder(one) !== undefined && other === build;
      });
      if (isMoved) continue;
      const asked = textOf(question);
      const text = isYes && asked.yes !== undefined ? asked.yes : await answerTo(asked, read);
      if (text === asked.end?.word) throw asked.end.error;
      answers.push({ question, text });
    }
    return answers;
  };
}

/** Answers with what holds where nobody can answer. */
export const askNobody: Ask = askWith(undefined);

async function answerTo(asked: Asked, read: Read | undefined): Promise<string> {
  const { choices, prompt, unanswered, words = choices.map(({ key }) => key) } = asked;
  const fallback = asked.fallback ?? (typeof unanswered === 'string' ? unanswered : undefined);
  if (read === undefined) {
    if (typeof unanswered === 'string') return unanswered;
    unanswered.question = {
      lines: prompt === undefined ? asked.lines : [...asked.lines, prompt],
      choices: choices.map(({ key, label }) => ({ key, label })),
    };
    throw unanswered;
  }
  const offered = choices.map(({ key, label }) => `[${key[0]}]${key.slice(1)}${label}`).join(', ');
  const question = prompt ?? `${offered}${fallback === undefined ? '' : ` (${fallback})`}?`;
  for (let { lines } = asked; ;) {
    const typed = await read(lines, question, words);
    lines = [];
    if (typed === '' && fallback !== undefined) return fallback;
    if (choices.length === 0 && typed !== '') return typed;
    const isWord = /^[a-zA-Z]+$/.test(typed);
    const found = choices.find(({ key }) => isWord && new RegExp(`^${typed}`, 'i').test(key));
    if (found?.shows !== undefined) {
      lines = found.shows;
      continue;
    }
    if (found?.folderFor !== undefined)
      return `${found.key}:${await folderFor(found.folderFor, read)}`;
    if (found !== undefined) return found.key;
  }
}

/** Asks until the answer may be a folder for the build. */
async function folderFor(id: string, read: Read): Promise<string> {
  for (let lines: string[] = []; ;) {
    const typed = await read(lines, `Folder for ${id} in the project, such as src/auth:`);
    if (typed === '') continue;
    try {
      parsePlacement([{ id }], typed);
      return typed;
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      lines = [error.message];
    }
  }
}

/**
 * The input ends when `signal` is aborted. A question without an answer is an error: only a user who answers decides. Ctrl-C is a key
 * that the terminal hands to the reader, and a closed terminal is the end of the input: both stop the command.
 */
function openReader(signal: AbortSignal, ahead: string[]) {
  const streams = { input: process.stdin, output: process.stderr };
  const reader = createInterface({ ...streams, signal, historySize: 0 });
  // The reader takes Ctrl-C from the terminal, and would only end the input.
  reader.on('SIGINT', () => {
    process.stderr.write('\n');
    process.kill(process.pid, 'SIGINT');
  });
  let [isClosed, wake] = [false, () => {}];
  reader.on('line', (line) => {
    ahead.push(line);
    wake();
  });
  const end = (): void => {
    isClosed = true;
    wake();
  };
  reader.on('close', end).on('error', end);
  // On some systems a closed terminal is an error of the stream, also while the reader closes.
  process.stdin.on('error', () => setImmediate(() => reader.close()));
  let [words, at]: [readonly string[], number] = [[], -1];
  const press = (_: unknown, { name }: { readonly name?: string }): void => {
    if (words.length === 0 || (name !== 'up' && name !== 'down')) return;
    at = name === 'down' ? (at + 1) % words.length : (at <= 0 ? words.length : at) - 1;
    reader.write(null, { ctrl: true, name: 'u' });
    reader.write(words[at]!);
  };
  process.stdin.on('keypress', press);
  const read: Read = async (lines, prompt, offered = []) => {
    [words, at] = [offered, -1];
    for (const line of lines) process.stderr.write(`${printable(line)}\n`);
    process.stderr.write(`${printable(prompt)} `);
    if (ahead.length === 0 && !isClosed) await new Promise<void>((resolve) => (wake = resolve));
    const answer = ahead.shift();
    if (answer !== undefined) return answer.trim();
    throw new ClientError('ERR_INTERRUPTED', 'Interrupted: nothing was changed');
  };
  return {
    read,
    close: () => {
      process.stdin.off('keypress', press);
      reader.close();
    },
  };
}
