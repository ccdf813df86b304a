import type { DomainChallenge } from '@svc/core/contract/endpoints.ts'

/** A failed request, with the service's own code and message. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure'
  readonly code: string
  /** 0 if the service could not be reached. */
  readonly status: number
  readonly requestId: string | null
  readonly retryAfterSeconds: number | null
  readonly errors: readonly { pointer: string; message: string }[]
  /** What to publish to prove that a host is one's own; null unless it can be proven. */
  readonly challenge: DomainChallenge | null

  constructor(
    code: string,
    message: string,
    details: {
      status?: number
      requestId?: string | null
      retryAfterSeconds?: number | null
      errors?: readonly { pointer: string; message: string }[]
      challenge?: DomainChallenge | null
    } = {},
  ) {
    super(message)
    this.code = code
    this.status = details.status ?? 0
    this.requestId = details.requestId ?? null
    this.retryAfterSeconds = details.retryAfterSeconds ?? null
    this.errors = details.errors ?? []
    this.challenge = details.challenge ?? null
  }
}
