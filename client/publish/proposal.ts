/** What is proposed to the repository of a registry, and what it is made from. Types, and the name of its branch. */
import type { Layout } from '../../format/registry/repository-layout.ts';
import type { Warning } from '../plan/plan.ts';
import type { Clone, TreeEdit } from './clone.ts';
import type { Account } from './code-host.ts';

/** A published version that a proposal is about. */
export interface PublishedVersion {
  readonly id: string;
  readonly owner: string;
  readonly name: string;
  readonly version: string;
  readonly integrity: string;
}

/** The state of the registry's repository that a proposal is made from. */
export interface ProposalBase {
  /** The newest commit of the registry's repository. */
  readonly commit: string;
  readonly clone: Clone;
  /** Where the repository has its builds. */
  readonly layout: Layout;
  /** The account of the token; `undefined` without one. */
  readonly user: Account | undefined;
  /** The numeric account of a login at the code host; `undefined` when it is unknown. */
  readonly accountOf: (login: string) => Promise<number | undefined>;
}

/** The change to propose, with its branch and texts. */
export interface Proposal {
  readonly branch: string;
  readonly title: string;
  readonly body: string;
  readonly edits: readonly TreeEdit[];
  /** Additional data for the output. */
  readonly data: object;
  /** Reasons for which the gate refuses the proposal whatever its files are. */
  readonly warnings?: readonly Warning[];
}

export interface ProposalOptions {
  readonly dryRun: boolean;
}

/** A branch name may not end with `.lock`; a version may. */
export function branchName(text: string): string {
  return text.endsWith('.lock') ? `${text}-` : text;
}
