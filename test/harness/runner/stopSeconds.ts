/** The timeout that docs/operations.md asks of a supervisor, without DRAIN_SECONDS. */
export const STOP_SECONDS = 15
