/** Times that deployments count in hours. */
export const HOUR_MS = 3_600_000;

/** How long files stay that are no part of the index any more. */
export const GRACE_HOURS = 24;
/** How old a kept state of the generator becomes before it is replaced. */
export const STATE_HOURS = 24;
