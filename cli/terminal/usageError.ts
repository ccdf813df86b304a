/** A mistake in the command line or in what it names, in one sentence. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
