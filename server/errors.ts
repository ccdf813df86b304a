import type { DomainChallenge } from '@svc/core/contract/endpoints.ts'
import type { FieldError } from '@svc/core/fieldErrors.ts'

type CatalogueRow = { status: number; title: string; meaning: string }

/**
 * Every error that the API can return, one row each; docs/errors.md is generated from it.
 *
 * Codes that the specification names keep its lower case; all others are upper case.
 * Source: `Spec: Errors`.
 */
export const ERROR_CATALOGUE = {
  MALFORMED_REQUEST: { status: 400, title: 'Malformed request', meaning: 'The request is not valid HTTP.' },
  MALFORMED_JSON: { status: 400, title: 'Malformed JSON', meaning: 'The body is not valid UTF-8 JSON.' },
  MALFORMED_UPLOAD: {
    status: 400,
    title: 'Malformed upload',
    meaning: 'The body is not valid `multipart/form-data`, was cut short or took too long.',
  },
  VALIDATION_ERROR: {
    status: 400,
    title: 'Validation failed',
    meaning: 'A field is missing, has the wrong type or is out of range; `errors` lists each one.',
  },
  INVALID_TOKEN: {
    status: 400,
    title: 'Invalid token',
    meaning: 'The e-mailed token is unknown, expired, already used or replaced by a newer one.',
  },
  UNAUTHENTICATED: {
    status: 401,
    title: 'Not authenticated',
    meaning:
      'The credential is missing, unknown, expired, revoked or of a kind that the operation does not accept; `message` says which.',
  },
  agent_identity_not_a_credential: {
    status: 401,
    title: 'Agent identity is not a credential',
    meaning:
      'The request carries only an agent identifier (`X-Svc-Id`, `agentId` or as bearer); send an API key.',
  },
  invalid_signature: {
    status: 401,
    title: 'Invalid signature',
    meaning: 'The request signature is malformed or does not match the request.',
  },
  WRONG_CHAIN: {
    status: 401,
    title: 'Wrong chain',
    meaning: 'The sign-in message names another chain than the one this service uses.',
  },
  signature_expired: {
    status: 401,
    title: 'Signature expired',
    meaning: '`X-Svc-Timestamp` differs from the server’s clock by more than five minutes.',
  },
  nonce_reused: {
    status: 401,
    title: 'Nonce reused',
    meaning: '`X-Svc-Nonce` was already used with this key.',
  },
  COUNTERPARTY_KEY_MISMATCH: {
    status: 403,
    title: 'Counterparty key mismatch',
    meaning: 'The endpoint does not exist or does not belong to the account of this API key.',
  },
  ACCOUNT_SUSPENDED: {
    status: 403,
    title: 'Account suspended',
    meaning:
      'An operator has suspended the account. The owner was told why by e-mail; signing in gives the reason, too.',
  },
  ORGANIZATION_SUSPENDED: {
    status: 403,
    title: 'Organisation suspended',
    meaning:
      'An operator has suspended the organisation, so nobody can act for it. Its members were told why by e-mail.',
  },
  KYD_REQUIRED: {
    status: 403,
    title: 'Developer identity required',
    meaning: 'To register an agent with an API key, the account needs a verified developer identity.',
  },
  SUB_AGENT_REFUSED: {
    status: 403,
    title: 'Sub-agent refused',
    meaning:
      'An agent above it in the hierarchy does not allow this sub-agent, or its owner has to approve it first.',
  },
  FORBIDDEN: {
    status: 403,
    title: 'Forbidden',
    meaning: 'The credential is valid but does not permit this operation.',
  },
  SESSION_REQUIRED: {
    status: 403,
    title: 'Signed-in session required',
    meaning: 'This operation needs a signed-in dashboard session; an API key is not enough.',
  },
  ELEVATION_REQUIRED: {
    status: 403,
    title: 'Fresh passkey assertion required',
    meaning: 'This operation needs a fresh passkey assertion (`X-Svc-Elevation`).',
  },
  PASSKEY_REJECTED: {
    status: 403,
    title: 'Passkey rejected',
    meaning: 'The passkey assertion is invalid or belongs to a different challenge.',
  },
  NOT_FOUND: {
    status: 404,
    title: 'Not found',
    meaning: 'The resource does not exist, or the caller may not see it.',
  },
  NOT_ANCHORED_YET: {
    status: 404,
    title: 'Not anchored yet',
    meaning:
      'The record exists, but its batch is not confirmed on chain yet; retry after `Retry-After` seconds.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    title: 'Method not allowed',
    meaning: 'The path does not support this method; `Allow` lists those it supports.',
  },
  REQUEST_TIMEOUT: {
    status: 408,
    title: 'Request timeout',
    meaning:
      'The headers or a JSON body took longer than 10 seconds to arrive, or an upload longer than 150.',
  },
  ORG_REQUIRED: {
    status: 409,
    title: 'Organisation key required',
    meaning: 'Only an API key that belongs to an organisation can register endpoints.',
  },
  pdlss_immutable: {
    status: 409,
    title: 'Immutable field',
    meaning: '`pdlss`, `model`, `framework`, `agentType` and `apiEndpoint` cannot change after registration.',
  },
  URL_ALREADY_CLAIMED: {
    status: 409,
    title: 'URL already claimed',
    meaning:
      'The URL is already claimed, or another account has claimed one on the same host; a `challenge` says how to prove that the host is yours.',
  },
  CREDENTIAL_TAKEN: {
    status: 409,
    title: 'Credential taken',
    meaning: 'This third-party credential is already stored for an agent.',
  },
  KEY_TAKEN: {
    status: 409,
    title: 'Key taken',
    meaning:
      'An agent of another owner already has this public key. Adding it with a proof of possession moves it, unless that owner has proven it.',
  },
  EMAIL_TAKEN: {
    status: 409,
    title: 'E-mail taken',
    meaning: 'An account with this e-mail address already exists.',
  },
  INVALID_STATE: {
    status: 409,
    title: 'Invalid state',
    meaning: 'The resource is in a state that does not allow this operation.',
  },
  DECISION_CONFLICT: {
    status: 409,
    title: 'Decision conflict',
    meaning: 'Another decision was recorded for this session, or its verification did not grant it.',
  },
  ATTEMPT_MISMATCH: {
    status: 409,
    title: 'Attempt mismatch',
    meaning: 'The attempt id belongs to a different request.',
  },
  IDEMPOTENCY_CONFLICT: {
    status: 409,
    title: 'Idempotency conflict',
    meaning:
      'The Idempotency-Key was used with a different body, the first request with it is still running (retry after `Retry-After` seconds), or that request made changes but its response is lost.',
  },
  GONE: { status: 410, title: 'Gone', meaning: 'The resource existed but is no longer available.' },
  PRECONDITION_FAILED: {
    status: 412,
    title: 'Precondition failed',
    meaning: 'The settings have changed since they were read (`If-Match`). Read them again.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    title: 'Payload too large',
    meaning: 'The body is larger than the operation accepts: 256 KiB for JSON.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    title: 'Unsupported media type',
    meaning:
      'The body has a media type or an encoding that the operation does not accept; most accept only uncompressed `application/json`.',
  },
  RATE_LIMITED: {
    status: 429,
    title: 'Rate limit exceeded',
    meaning: 'Too many requests; retry after `Retry-After` seconds.',
  },
  HEADERS_TOO_LARGE: {
    status: 431,
    title: 'Headers too large',
    meaning: 'The URL and the headers together exceed 16 KiB.',
  },
  INTERNAL_ERROR: {
    status: 500,
    title: 'Internal error',
    meaning: 'The server failed to handle the request; the failure has been logged.',
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    title: 'Service unavailable',
    meaning:
      'The service cannot handle the request at the moment, for instance because decisions cannot be recorded; retry after `Retry-After` seconds.',
  },
  CHAIN_UNAVAILABLE: {
    status: 503,
    title: 'Chain unavailable',
    meaning: 'The operation needs the chain, which is not responding.',
  },
} as const satisfies Record<string, CatalogueRow>

export type ErrorCode = keyof typeof ERROR_CATALOGUE

type ErrorExtras = {
  /** Public message; defaults to the catalogue's meaning. Never contains a secret or a policy limit. */
  message?: string
  /** For the log only. */
  detail?: string
  errors?: FieldError[]
  /** Members of this error only. Source: RFC 9457 §3.2. */
  extension?: { challenge: DomainChallenge }
  headers?: Record<string, string>
  cause?: unknown
}

/** A failure that has a row in the catalogue; created by `apiError`, written by `middleware/writeError.ts`. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly detail: string | undefined
  readonly errors: FieldError[] | undefined
  readonly extension: ErrorExtras['extension']
  readonly headers: Record<string, string>

  constructor(code: ErrorCode, extras: ErrorExtras) {
    super(extras.message ?? ERROR_CATALOGUE[code].meaning, { cause: extras.cause })
    this.code = code
    this.status = ERROR_CATALOGUE[code].status
    this.detail = extras.detail
    this.errors = extras.errors
    this.extension = extras.extension
    this.headers = extras.headers ?? {}
  }
}

/** The only way to reject a request: `throw apiError('NOT_FOUND')`. */
export function apiError(code: ErrorCode, extras: ErrorExtras = {}): ApiError {
  return new ApiError(code, extras)
}

/** A 400 that lists every invalid field. */
export function validationError(errors: FieldError[]): ApiError {
  const first = errors[0]
  const message = first ? `${first.pointer || 'body'}: ${first.message}` : undefined
  return new ApiError('VALIDATION_ERROR', { errors, ...(message ? { message } : {}) })
}
