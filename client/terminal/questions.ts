/** The texts of questions: the same at a terminal, with `--json` and for agents; and what holds where nobody answers. */
import { createTwoFilesPatch } from 'diff';
import type { BuildSummary } from '../../format/index/record.ts';
import { ClientError } from '../errors.ts';
import { allowOption, consentError, describeConsent } from '../plan/consent.ts';
import type { FileInTheWay } from '../plan/existing-file.ts';
import type { FileQuestion, Question } from '../plan/question.ts';
import { describeWiring } from './plan-text.ts';
import { oneLine } from './printable.ts';

/** Time limit for the comparison of one file. */
const TIMEOUT_MS = 1000;
const MAX_SHOWN_LINES = 60;
const MAX_LISTED = 9;
const DESCRIPTION_COLUMNS = 60;

/** A question as it is put. */
export interface Asked {
  /** Printed above it. */
  readonly lines: readonly string[];
  /** What may be typed, by the first letters; none: a text. */
  readonly choices: readonly Choice[];
  /** In place of the choices. */
  readonly prompt?: string;
  /** What the arrow keys bring; the choices by default. */
  readonly words?: readonly string[];
  /** What an empty line means; by default what holds where nobody answers, if that is an answer. */
  readonly fallback?: string;
  /** The answer of `--yes`. */
  readonly yes?: string;
  /** What holds where nobody answers. */
  readonly unanswered: string | ClientError;
  /** The answer that ends the command. */
  readonly end?: { readonly word: string; readonly error: ClientError };
}

interface Choice {
  readonly key: string;
  readonly label: string;
  /** This answer needs a folder for the build. */
  readonly folderFor?: string;
  /** This answer prints these lines, and the question is put again. */
  readonly shows?: readonly string[];
}

const SETTINGS: Readonly<Record<string, string>> = { agent: 'agents', ci: 'CI', editor: 'editors' };

export function textOf(question: Question): Asked {
  switch (question.about) {
    case 'style':
    case 'proof': {
      const isProof = question.about === 'proof';
      const head = isProof
        ? 'To prove the change, these run in your project before and after it, with your rights:'
        : 'To bring files of builds into the style of the project, these run on a copy of it, with your rights:';
      return {
        lines: [head, ...question.commands.map((one) => `  ${one}`)],
        choices: [
          choice('yes', ' (remembered for this project)'),
          ...(isProof ? [choice('without', ' the tests')] : []),
          choice('skip', ' this time'),
          choice('never'),
        ],
        unanswered: 'skip',
      };
    }
    case 'file':
      return fileText(question);
    case 'steps':
    case 'gains':
      return wiringText(question.about, describeWiring(question.entries));
    case 'consent': {
      const { entries } = question;
      return {
        lines: ['Programs run these or read them by themselves:', ...describeConsent(entries)],
        choices: [choice('write', ' them'), choice('stop')],
        unanswered: consentError(entries),
        end: declined(
          'stop',
          'you did not consent',
          `${allowOption(entries)} consents without a question`,
        ),
      };
    }
    case 'danger':
    case 'write':
      return {
        lines: [],
        choices: [choice('yes'), choice('no')],
        prompt: `${question.text} [y/N]`,
        fallback: 'no',
        yes: 'yes',
        unanswered: new ClientError(
          'ERR_NEEDS_ANSWER',
          `Cannot go on without an answer: ${question.text}`,
          { hint: 'add --yes to answer yes' },
        ),
        end: declined('no', 'you did not answer yes', '--yes answers yes without a question'),
      };
    case 'broken': {
      const { problems, isWired } = question;
      const lines = ['The change broke something:', ...problems.map((one) => `  ${one}`)];
      const more = isWired ? [choice('without', ' wiring')] : [];
      const choices = [choice('keep', ' the change'), choice('revert', ' it'), ...more];
      return { lines, choices, unanswered: 'keep' };
    }
    case 'foundation':
      return {
        lines: ['Foundation:', ...listed(question.builds.slice(0, MAX_LISTED))],
        choices: [],
        prompt: 'Number or id (1):',
        words: question.builds.slice(0, MAX_LISTED).map(({ id }) => id),
        fallback: '1',
        unanswered: NO_FOUNDATION,
      };
    case 'folder': {
      const { name } = question;
      const prompt = `Folder of the project (${name}):`;
      return { lines: [], choices: [], prompt, unanswered: name };
    }
    case 'settings': {
      const { id, entries } = question;
      const names = [...new Set(entries.map((entry) => SETTINGS[entry.class] ?? entry.class))];
      const of = names.join(', ').replace(/, ([^,]+)$/, ' and $1');
      const list = { ...choice('list'), shows: describeConsent(entries) };
      const prompt = `"${id}" includes settings of ${of}: write them? [Y/n/list]`;
      const choices = [choice('yes'), choice('no'), list];
      return { lines: [], choices, prompt, fallback: 'yes', unanswered: 'no' };
    }
    case 'name': {
      const { why, name } = question;
      const prompt = `Name of the build (${name}):`;
      return { lines: [`${why}.`], choices: [], prompt, fallback: name, unanswered: name };
    }
    case 'database': {
      const engines = question.engines.map(([key, id]) => choice(key, ` (${id})`));
      const choices = [choice('none'), ...engines];
      return { lines: ['Database:'], choices, unanswered: 'none' };
    }
    case 'accounts':
      return {
        lines: ['Add sign-up and login?'],
        choices: [choice('no'), choice('yes', ` (${question.id})`)],
        unanswered: 'no',
      };
    case 'manager': {
      const choices = question.names.map((name) => choice(name));
      return { lines: ['Package manager:'], choices, unanswered: 'npm' };
    }
  }
}

function fileText({ file, place, error }: FileQuestion): Asked {
  const { build, path, canMerge } = file;
  return {
    lines: [`"${path}" differs from the file of ${build}${place}:`, ...differenceOf(file)],
    choices: [
      choice('keep', ' yours'),
      choice('replace', ' it by that of the build'),
      ...(canMerge ? [choice('merge', ' with both between markers')] : []),
      { ...choice('other', ' folder for the build'), folderFor: build },
      choice('stop'),
    ],
    unanswered: error,
    end: declined(
      'stop',
      'you stopped',
      'run the command again, or decide with --on-exists or --to',
    ),
  };
}

function wiringText(about: 'steps' | 'gains', entries: readonly string[]): Asked {
  const isStep = about === 'steps';
  const head = isStep
    ? 'These steps can be carried out in your files:'
    : 'The update has text for your files that can do more than before:';
  return {
    lines: [head, ...entries],
    choices: [
      choice('wire', isStep ? ': carry them out' : ': put it in'),
      choice('leave', isStep ? ' them to me' : ' the present text'),
    ],
    unanswered: 'leave',
  };
}

function choice(key: string, label = ''): Choice {
  return { key, label };
}

function declined(word: string, why: string, hint: string): NonNullable<Asked['end']> {
  return { word, error: new ClientError('ERR_DECLINED', `Nothing was changed: ${why}`, { hint }) };
}

const NO_FOUNDATION = new ClientError('ERR_USAGE', 'Argument <foundation> is missing', {
  hint: 'write stackyard new <foundation> <folder>; see stackyard new --help',
});

function listed(builds: readonly Pick<BuildSummary, 'id' | 'description'>[]): string[] {
  return builds.map(({ id, description }, at) => {
    const text = oneLine(description);
    const short =
      text.length > DESCRIPTION_COLUMNS ? `${text.slice(0, DESCRIPTION_COLUMNS - 3)}...` : text;
    return `  ${at + 1}  ${id}  ${short}`;
  });
}

/** From the project's file to the build's, as a patch. */
function differenceOf({ path, ours, theirs, build }: FileInTheWay): string[] {
  const [old, fresh] = [ours, theirs].map((bytes) => Buffer.from(bytes));
  if (old === undefined || fresh === undefined || old.includes(0) || fresh.includes(0)) {
    return [`  not text: ${ours.length} bytes, in the build ${theirs.length} bytes`];
  }
  const names = [path, path, old.toString('utf8'), fresh.toString('utf8'), 'yours', build] as const;
  const patch = createTwoFilesPatch(...names, { context: 3, timeout: TIMEOUT_MS });
  if (patch === undefined) return ['  too different to be compared line by line'];
  // The first line is a separator that a patch does not need.
  const lines = patch.replace(/^=+\n/, '').trimEnd().split('\n');
  const more = lines.length - MAX_SHOWN_LINES;
  return more <= 0 ? lines : [...lines.slice(0, MAX_SHOWN_LINES), `... ${more} more lines`];
}
