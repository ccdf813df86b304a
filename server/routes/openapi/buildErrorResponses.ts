import { ERROR_CATALOGUE, type ErrorCode } from '../../errors.ts'
import { ACCESS } from '../../middleware/authorise.ts'
import type { TableRow } from '../operation.ts'
import type { JsonSchema } from './describeSchemas.ts'
import { needsPasskey } from './securityOf.ts'

/** Codes that the border can return for any request with a body, even if the operation ignores the body. */
const BODY_ERRORS: readonly ErrorCode[] = [
  'MALFORMED_JSON',
  'VALIDATION_ERROR',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
]

/** A credential of a suspended account or organisation is refused wherever one is accepted. */
const SUSPENDED: readonly ErrorCode[] = ['ACCOUNT_SUSPENDED', 'ORGANIZATION_SUSPENDED']

const UPLOAD_ERRORS: readonly ErrorCode[] = [
  'MALFORMED_UPLOAD',
  'VALIDATION_ERROR',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
]

/**
 * The error responses of an operation by status, each with its codes: those of the operation itself and those of the
 * authorisation, the body parser and the rate limit before it.
 *
 * Source: OpenAPI 3.1 "Responses Object".
 */
export function buildErrorResponses([method, , access, budget, operation]: TableRow): JsonSchema {
  const credential: ErrorCode[] =
    access === 'anyone' ? [] : ['UNAUTHENTICATED', 'agent_identity_not_a_credential', ...SUSPENDED]
  const session: ErrorCode[] = ACCESS[access].apiKey === 'SESSION_REQUIRED' ? ['SESSION_REQUIRED'] : []
  const elevation: ErrorCode[] = needsPasskey(ACCESS[access].session) ? ['ELEVATION_REQUIRED'] : []
  const isForOperators = access === 'operator' || access === 'elevatedOperator'
  const role: ErrorCode[] = isForOperators ? ['FORBIDDEN'] : []
  const canHaveBody = method !== 'GET' && method !== 'HEAD'
  const body = operation.upload ? UPLOAD_ERRORS : canHaveBody ? BODY_ERRORS : []
  const repeated: ErrorCode[] = operation.repeatable ? ['VALIDATION_ERROR', 'IDEMPOTENCY_CONFLICT'] : []
  const precondition: ErrorCode[] = operation.isTagged && method !== 'GET' ? ['PRECONDITION_FAILED'] : []
  const limited: ErrorCode[] = budget === 'none' ? [] : ['RATE_LIMITED']
  const codes = [
    ...new Set<ErrorCode>([
      ...credential,
      ...session,
      ...elevation,
      ...role,
      ...body,
      ...repeated,
      ...operation.errors,
      ...precondition,
      ...limited,
    ]),
  ]
  const responses: Record<string, JsonSchema> = {}
  for (const code of codes) {
    const status = String(ERROR_CATALOGUE[code].status)
    const known = responses[status]?.description
    responses[status] = {
      description: known ? `${known}, \`${code}\`` : `\`${code}\``,
      ...(ERROR_HEADERS[status] ? { headers: ERROR_HEADERS[status] } : {}),
      content: ERROR_CONTENT,
    }
  }
  return responses
}

const RETRY_AFTER = {
  'Retry-After': {
    required: true,
    description: 'Seconds until a retry can succeed',
    schema: { type: 'string', pattern: '^[1-9][0-9]*$' },
  },
}

/** The headers of calls that count against a rate limit, as references into the components. */
export const BUDGET_HEADERS = {
  'RateLimit-Policy': { $ref: '#/components/headers/RateLimit-Policy' },
  RateLimit: { $ref: '#/components/headers/RateLimit' },
}

/** The headers that every error with a status has. Source: RFC 9110 §11.6.1, §15.6.4; RFC 6585 §4. */
const ERROR_HEADERS: Readonly<Record<string, JsonSchema>> = {
  401: {
    'WWW-Authenticate': {
      required: true,
      description: 'The scheme in which a credential is expected',
      schema: { type: 'string' },
    },
  },
  429: { ...RETRY_AFTER, ...BUDGET_HEADERS },
  503: RETRY_AFTER,
}

/** Errors are sent as problem details to a client that accepts them. Source: RFC 9457. */
const ERROR_REFERENCE = { schema: { $ref: '#/components/schemas/Error' } }
const ERROR_CONTENT = { 'application/json': ERROR_REFERENCE, 'application/problem+json': ERROR_REFERENCE }

/** The body of every error: our own members beside those of problem details. Source: RFC 9457 §3.1. */
export const ERROR_SCHEMA = {
  type: 'object',
  required: [
    'success',
    'error',
    'code',
    'message',
    'type',
    'title',
    'status',
    'detail',
    'instance',
    'requestId',
  ],
  properties: {
    success: { const: false },
    error: { type: 'string' },
    code: { type: 'string', enum: Object.keys(ERROR_CATALOGUE) },
    message: { type: 'string' },
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    instance: { type: 'string' },
    requestId: { type: 'string' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        properties: { pointer: { type: 'string' }, code: { type: 'string' }, message: { type: 'string' } },
      },
    },
    challenge: {
      description: 'With `URL_ALREADY_CLAIMED`: what to publish to prove that the host is yours',
      allOf: [{ $ref: '#/components/schemas/DomainChallenge' }],
    },
  },
  examples: [
    {
      success: false,
      error: 'NOT_FOUND',
      code: 'NOT_FOUND',
      message: 'There is no such resource.',
      type: 'urn:svc:error:NOT_FOUND',
      title: 'Not found',
      status: 404,
      detail: 'There is no such resource.',
      instance: '/api/agents/SVC-0000000000000000000000',
      requestId: 'a4912a2d-ceec-4c31-bccc-5a269e74b840',
    },
  ],
}
