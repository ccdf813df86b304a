import type { FieldError } from '@svc/core/fieldErrors.ts'

type CatalogueRow = { status: number; title: string; meaning: string }

/**
 * Every error the interface can answer, one row each; docs/errors.md is generated from it.
 *
 * Codes are spelled as the specification and api.md spell them, which is why two spellings meet here.
 * Source: `Spec: Errors`, api.md "Envelope".
 */
export const ERROR_CATALOGUE = {
  MALFORMED_REQUEST: { status: 400, title: 'Malformed request', meaning: 'The request is not valid HTTP.' },
  MALFORMED_JSON: { status: 400, title: 'Malformed JSON', meaning: 'The body is not valid UTF-8 JSON.' },
  MALFORMED_UPLOAD: {
    status: 400,
    title: 'Malformed upload',
    meaning: 'The body is not valid `multipart/form-data`, ended early or took too long.',
  },
  VALIDATION_ERROR: {
    status: 400,
    title: 'Validation failed',
    meaning: 'A field is missing, of the wrong type or out of bounds; `errors` names each one.',
  },
  INVALID_TOKEN: {
    status: 400,
    title: 'Invalid token',
    meaning: 'The mailed token is unknown, used, replaced by a newer one, or has expired.',
  },
  UNAUTHENTICATED: {
    status: 401,
    title: 'Not authenticated',
    meaning: 'No valid credential, or a token that is not a full session’s access token.',
  },
  agent_identity_not_a_credential: {
    status: 401,
    title: 'Agent identity is not a credential',
    meaning: 'Only an agent identifier was offered (`X-Svc-Id`); send an API key.',
  },
  invalid_signature: {
    status: 401,
    title: 'Invalid signature',
    meaning: 'The request signature is malformed or was made over something else.',
  },
  signature_expired: {
    status: 401,
    title: 'Signature expired',
    meaning: '`X-Svc-Timestamp` is more than five minutes from the server’s time.',
  },
  nonce_reused: {
    status: 401,
    title: 'Nonce reused',
    meaning: '`X-Svc-Nonce` was used before with this key.',
  },
  COUNTERPARTY_KEY_MISMATCH: {
    status: 403,
    title: 'Counterparty key mismatch',
    meaning: 'The key’s account does not own the named endpoint, or there is no such endpoint.',
  },
  KYD_REQUIRED: {
    status: 403,
    title: 'Developer identity required',
    meaning: 'Registering an agent by API key needs a verified developer identity on the account.',
  },
  SUB_AGENT_REFUSED: {
    status: 403,
    title: 'Sub-agent refused',
    meaning: 'An agent above it does not allow this sub-agent, or its owner has to approve it.',
  },
  FORBIDDEN: { status: 403, title: 'Forbidden', meaning: 'The credential is valid and may not do this.' },
  SESSION_REQUIRED: {
    status: 403,
    title: 'Signed-in session required',
    meaning: 'Only a signed-in dashboard session may do this; an API key may not.',
  },
  ELEVATION_REQUIRED: {
    status: 403,
    title: 'Fresh passkey required',
    meaning: 'The operation needs a fresh passkey assertion (`X-Svc-Elevation`).',
  },
  PASSKEY_REJECTED: {
    status: 403,
    title: 'Passkey rejected',
    meaning: 'The passkey’s answer does not verify, or answers something else than was asked.',
  },
  NOT_FOUND: {
    status: 404,
    title: 'Not found',
    meaning: 'Nothing here, or nothing that this caller may see.',
  },
  NOT_ANCHORED_YET: {
    status: 404,
    title: 'Not anchored yet',
    meaning: 'The record exists and its batch is not confirmed on chain; ask again after `Retry-After`.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    title: 'Method not allowed',
    meaning: 'This address answers other methods; `Allow` names them.',
  },
  REQUEST_TIMEOUT: {
    status: 408,
    title: 'Request timeout',
    meaning: 'The headers or a JSON body took more than 10 seconds, or an upload more than 150.',
  },
  ORG_REQUIRED: {
    status: 409,
    title: 'Organisation key required',
    meaning: 'Endpoints are registered with an API key created in an organisation.',
  },
  pdlss_immutable: {
    status: 409,
    title: 'Immutable field',
    meaning: '`pdlss`, `model`, `framework`, `agentType` and `apiEndpoint` never change after registration.',
  },
  URL_ALREADY_CLAIMED: {
    status: 409,
    title: 'URL already claimed',
    meaning: 'Another account claimed this URL first.',
  },
  CREDENTIAL_TAKEN: {
    status: 409,
    title: 'Credential taken',
    meaning: 'The third-party credential is stored for an agent already.',
  },
  EMAIL_TAKEN: { status: 409, title: 'E-mail taken', meaning: 'An account with this e-mail address exists.' },
  INVALID_STATE: {
    status: 409,
    title: 'Invalid state',
    meaning: 'The resource is in a state that forbids this.',
  },
  DECISION_CONFLICT: {
    status: 409,
    title: 'Decision conflict',
    meaning: 'Another decision was already recorded for this session.',
  },
  ATTEMPT_MISMATCH: {
    status: 409,
    title: 'Attempt mismatch',
    meaning: 'The attempt id belongs to another request.',
  },
  IDEMPOTENCY_CONFLICT: {
    status: 409,
    title: 'Idempotency conflict',
    meaning:
      'The Idempotency-Key was used with another body, or its first use is still running (then `Retry-After`), or wrote something and left nothing to answer.',
  },
  GONE: { status: 410, title: 'Gone', meaning: 'The resource existed and is no longer served.' },
  PAYLOAD_TOO_LARGE: { status: 413, title: 'Payload too large', meaning: 'The body is over 256 KiB.' },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    title: 'Unsupported media type',
    meaning: 'Bodies are `application/json`, not compressed.',
  },
  RATE_LIMITED: {
    status: 429,
    title: 'Rate limit exceeded',
    meaning: 'Over the request budget; wait for `Retry-After` seconds.',
  },
  HEADERS_TOO_LARGE: {
    status: 431,
    title: 'Headers too large',
    meaning: 'The address and the headers are over 16 KiB together.',
  },
  INTERNAL_ERROR: { status: 500, title: 'Internal error', meaning: 'The failure is ours and is logged.' },
  SERVICE_UNAVAILABLE: {
    status: 503,
    title: 'Service unavailable',
    meaning: 'Decisions cannot be recorded now, so none is given; ask again after `Retry-After`.',
  },
  CHAIN_UNAVAILABLE: {
    status: 503,
    title: 'Chain unavailable',
    meaning: 'The answer needs the chain, and the chain does not answer.',
  },
} as const satisfies Record<string, CatalogueRow>

export type ErrorCode = keyof typeof ERROR_CATALOGUE

type ErrorExtras = {
  /** Public sentence; the catalogue's meaning when left out. Never a secret, never a limit of a policy. */
  message?: string
  /** For the log only. */
  detail?: string
  errors?: FieldError[]
  headers?: Record<string, string>
  cause?: unknown
}

/** A failure that has a row in the catalogue; made by `apiError` and written by `middleware/writeError.ts`. */
export class ApiError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly detail: string | undefined
  readonly errors: FieldError[] | undefined
  readonly headers: Record<string, string>

  constructor(code: ErrorCode, extras: ErrorExtras) {
    super(extras.message ?? ERROR_CATALOGUE[code].meaning, { cause: extras.cause })
    this.code = code
    this.status = ERROR_CATALOGUE[code].status
    this.detail = extras.detail
    this.errors = extras.errors
    this.headers = extras.headers ?? {}
  }
}

/** The one way to refuse a request: `throw apiError('NOT_FOUND')`. */
export function apiError(code: ErrorCode, extras: ErrorExtras = {}): ApiError {
  return new ApiError(code, extras)
}

/** A 400 that names every bad field. */
export function validationError(errors: FieldError[]): ApiError {
  const first = errors[0]
  const message = first ? `${first.pointer || 'body'}: ${first.message}` : undefined
  return new ApiError('VALIDATION_ERROR', { errors, ...(message ? { message } : {}) })
}
