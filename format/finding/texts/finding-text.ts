/** The form of one entry of the catalogue: what a finding is about, how serious it is, and its English. */

export type FindingLevel = 'info' | 'warn' | 'error';

/** What a finding is about. Risk looks at `safety`, quality at `quality`. */
export type FindingGroup = 'manifest' | 'safety' | 'supply-chain' | 'agent' | 'quality';

/** The values that a finding's text quotes. */
export type FindingArgs = Readonly<Record<string, string | number>>;

export interface FindingText {
  readonly group: FindingGroup;
  readonly level: FindingLevel;
  /** One line that quotes the values: what is wrong, where, and the expected form. */
  readonly message: (args: FindingArgs) => string;
  /** Why the registry reports it. */
  readonly why: string;
  /** What the publisher does about it. */
  readonly remedy: string;
}

/** Makes the entry of a finding. */
type MakeText = (message: FindingText['message'], why: string, remedy: string) => FindingText;

/** Make the entries of one group, by level. */
export function textsOf(group: FindingGroup): Readonly<Record<FindingLevel, MakeText>> {
  const at =
    (level: FindingLevel): MakeText =>
    (message, why, remedy) => ({ group, level, message, why, remedy });
  return { info: at('info'), warn: at('warn'), error: at('error') };
}
