/** A request that failed, in the words of the service's envelope. Source: api.md "Envelope". */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure'
  readonly code: string
  /** 0 when the service was not reached. */
  readonly status: number
  readonly requestId: string | null
  readonly retryAfterSeconds: number | null
  readonly errors: readonly { pointer: string; message: string }[]

  constructor(
    code: string,
    message: string,
    about: {
      status?: number
      requestId?: string | null
      retryAfterSeconds?: number | null
      errors?: readonly { pointer: string; message: string }[]
    } = {},
  ) {
    super(message)
    this.code = code
    this.status = about.status ?? 0
    this.requestId = about.requestId ?? null
    this.retryAfterSeconds = about.retryAfterSeconds ?? null
    this.errors = about.errors ?? []
  }
}
