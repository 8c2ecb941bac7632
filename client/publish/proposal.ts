/** What is proposed to a registry, and what became of it. */
import type { Account } from './code-host.ts';
import type { Clone, TreeEdit } from './clone.ts';
import type { Warning } from '../plan/plan.ts';

/** A file of the pull request, for people and programs. */
export interface ProposedFile {
  readonly path: string;
  readonly change: 'added' | 'changed' | 'deleted';
}

/** A published version that a proposal is about. */
export interface PublishedVersion {
  readonly id: string;
  readonly owner: string;
  readonly name: string;
  readonly version: string;
  readonly integrity: string;
}

/** What a proposal may ask while it is made. */
export interface ProposalBase {
  /** The newest commit of the registry's repository. */
  readonly commit: string;
  readonly clone: Clone;
  /** Whose token is used; `undefined` without one. */
  readonly user: Account | undefined;
  /** The numeric account of a login at the code host; `undefined` when nobody can tell. */
  readonly accountOf: (login: string) => Promise<number | undefined>;
}

/** Where it goes and what it says. */
export interface Proposal {
  readonly branch: string;
  readonly title: string;
  readonly body: string;
  readonly edits: readonly TreeEdit[];
  /** What is told of it as well, as data. */
  readonly data: object;
  /** What the gate will say that no other proposal would change. */
  readonly warnings?: readonly Warning[];
}

export interface ProposalOptions {
  readonly repository: string | undefined;
  /** The repository that is pushed to, where it is not the registry's. */
  readonly fork: string | undefined;
  readonly dryRun: boolean;
}

/** Names of branches end with no `.lock`; versions may. */
export function branchName(text: string): string {
  return text.endsWith('.lock') ? `${text}-` : text;
}
