/** The one request that a load repeats, and how its answer is known to be right. */
export type LoadRequest = {
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: string
  /** Bodies that a closed loop sends in turn instead. */
  readonly bodies?: readonly string[]
  /** Text that every right answer of status 200 contains. */
  readonly expected: string
}
