/**
 * How long a connection without a request stays open: longer than proxies keep theirs, which would otherwise send a request on
 * one that is being closed, and answer 502.
 */
export const KEEP_ALIVE_MS = 130_000
