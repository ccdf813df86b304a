/** What a gateway says when it does not let a request through. */
export type Refusal = {
  /** Such as `access_denied`, or `step_up_required` while the agent's owner has not decided. */
  code: string
  /** Why, and what to do next, in words for a model. */
  text: string
  /** The attempt that is held for the owner's approval. */
  attemptId?: string | undefined
  /** The gateway's response. */
  body: Readonly<Record<string, unknown>>
}

/**
 * A request that a counterparty refused, or holds until the agent's owner has approved it.
 *
 * `message` is for a model: it says why, and what to do next.
 */
export class RefusedError extends Error {
  override readonly name = 'RefusedError'
  /** Such as `access_denied`, or `step_up_required` while the agent's owner has not decided. */
  readonly code: string
  /** The response of the counterparty's gateway. */
  readonly refusal: Readonly<Record<string, unknown>>

  constructor({ code, text, body }: Refusal) {
    super(text)
    this.code = code
    this.refusal = body
  }
}
