/** A published version as the state takes it. */
export interface Publication {
  readonly id: string;
  readonly commit: string;
  readonly tree: string;
  readonly version: string;
  readonly publishedAt: string;
  readonly risk: string;
  /** Its place in history. */
  readonly seq: number;
  /** `VersionFacts` as JSON. */
  readonly facts: string;
}
