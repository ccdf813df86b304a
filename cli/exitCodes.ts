/** Exit codes of `svc`. A script can tell a decision from a failure to decide. */
export const EXIT = {
  /** Done, granted, proven, or no findings. */
  done: 0,
  /** Denied, refuted, or findings under `--strict`. */
  negative: 1,
  /** A mistake in the command line or an input, or a check that could not be done. */
  unusable: 2,
  /** The owner has to approve the request. */
  needsApproval: 3,
  /** Not signed in, or the service does not accept the credentials. */
  refused: 4,
  /** The service is unreachable, overloaded or failing. */
  unavailable: 5,
} as const
