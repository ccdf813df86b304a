/** The request that a load repeats, and how to recognise a correct response. */
export type LoadRequest = {
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: string
  /** Bodies that a closed loop sends in turn instead of `body`. */
  readonly bodies?: readonly string[]
  /** Text that every correct response contains, in addition to status 200. */
  readonly expected: string
}
