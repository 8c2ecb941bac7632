/** What only the user decides, as values: planning returns the questions that are open, and goes on with their answers. Pure. */
import type { BuildSummary } from '../../format/index/record.ts';
import type { FileInTheWay, FilesInTheWay } from './existing-file.ts';
import type { Plan } from './plan.ts';
import type { ConsentEntry, WiringEntry } from './planned-entries.ts';

export type Question =
  | { readonly about: 'style' | 'proof'; readonly commands: readonly string[] }
  | FileQuestion
  | { readonly about: 'steps' | 'gains'; readonly entries: readonly WiringEntry[] }
  | {
      readonly about: 'consent';
      readonly entries: readonly ConsentEntry[];
    }
  /** A build that is rated dangerous, or files that would be written. */
  | { readonly about: 'danger' | 'write'; readonly text: string }
  /** Of `init`: another name than the folder has, and why. */
  | { readonly about: 'name'; readonly why: string; readonly name: string }
  | {
      readonly about: 'broken';
      readonly problems: readonly string[];
      readonly isWired: boolean;
    }
  /** Of `new`. */
  | { readonly about: 'foundation'; readonly builds: readonly BuildSummary[] }
  | { readonly about: 'folder'; readonly name: string }
  | {
      readonly about: 'settings';
      readonly id: string;
      readonly entries: readonly ConsentEntry[];
    }
  | { readonly about: 'database'; readonly engines: readonly (readonly [string, string])[] }
  | { readonly about: 'accounts'; readonly id: string }
  | { readonly about: 'manager'; readonly names: readonly string[] };

/** About a file of the project that differs from one of a build. */
export interface FileQuestion {
  readonly about: 'file';
  readonly file: FileInTheWay;
  /** ` (1 of 2)`, or empty. */
  readonly place: string;
  /** Without an answer. */
  readonly error: FilesInTheWay;
}

export interface Answer {
  readonly question: Question;
  /** A word of the question's choices, or a text. Of a file also `other:<folder>`. */
  readonly text: string;
}

/** Puts questions to the user. @throws {ClientError} where there is no answer, and where the user stops */
export type Ask = (questions: readonly Question[]) => Promise<readonly Answer[]>;

export function fileQuestions(error: FilesInTheWay): FileQuestion[] {
  const { files } = error;
  return files.map((file, at) => {
    const place = files.length === 1 ? '' : ` (${at + 1} of ${files.length})`;
    return { about: 'file', file, place, error };
  });
}

/** What must be answered before a plan is carried out. @param proof whether what checks it may run */
export function questionsBefore(
  { warnings, consent = [] }: Pick<Plan, 'warnings' | 'consent'>,
  proof?: Question,
): Question[] {
  const dangers = warnings.filter(({ code }) => code === BUILD_DANGER);
  const text = `${dangers.map(({ message }) => message).join('; ')}. Install it all the same?`;
  const entries = consent.filter(({ given }) => !given);
  return [
    ...(dangers.length === 0 ? [] : [{ about: 'danger', text } as const]),
    ...(entries.length === 0 ? [] : [{ about: 'consent', entries } as const]),
    ...(proof === undefined ? [] : [proof]),
  ];
}

/** Code of the warning that a plan has for a build that the checks of the registry rate as dangerous. */
export const BUILD_DANGER = 'build-danger';

/** The folder of the answer `other:<folder>`. */
export function otherFolder({ question, text }: Answer): string | undefined {
  return question.about === 'file' && text.startsWith('other:') ? text.slice(6) : undefined;
}
