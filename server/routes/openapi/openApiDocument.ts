import { z } from 'zod'
import { ERROR_CATALOGUE, type ErrorCode } from '../../errors.ts'
import { ACCESS, type Access } from '../../middleware/authorise.ts'
import type { BudgetName } from '../../middleware/rateBudget.ts'
import type { UploadRules } from '../../middleware/readUpload.ts'
import { INTERFACE_VERSION } from '../../middleware/writeAnswer.ts'
import type { Operation, TableRow } from '../operation.ts'
import { SECURITY_SCHEMES } from './securitySchemes.ts'
import { signatureParameters } from './signatureParameters.ts'
import { TAGS, tagOf } from './tags.ts'

type JsonObject = Record<string, unknown>

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  description:
    'The same key and body get the first answer again for 24 h, marked `Idempotent-Replayed: true`',
}

/** Codes the border itself can answer wherever a body may come, whether or not the operation looks at it. */
const BODY_ERRORS: readonly ErrorCode[] = [
  'MALFORMED_JSON',
  'VALIDATION_ERROR',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
]

const UPLOAD_ERRORS: readonly ErrorCode[] = [
  'MALFORMED_UPLOAD',
  'VALIDATION_ERROR',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
]

/**
 * The OpenAPI 3.1 document of a route table: built from the very schemas the operations parse with.
 *
 * Source: api.md "Approvals, activity, audit" (`GET /api/openapi.json`); OpenAPI 3.1.
 */
export function openApiDocument(table: readonly TableRow[], publicUrl: string): JsonObject {
  const paths: Record<string, JsonObject> = {}
  for (const [method, path, access, budget, operation] of table) {
    const templated = path.replace(/:(\w+)/g, '{$1}')
    paths[templated] = {
      ...paths[templated],
      [method.toLowerCase()]: operationObject([method, path, access, budget, operation]),
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Agent verification and endpoint registry',
      version: INTERFACE_VERSION,
      description: 'May this agent do this here, now?',
    },
    servers: [{ url: publicUrl }],
    tags: TAGS,
    paths,
    components: {
      securitySchemes: SECURITY_SCHEMES,
      schemas: { Error: ERROR_SCHEMA },
    },
  }
}

function operationObject([method, path, access, budget, operation]: TableRow): JsonObject {
  const parameters = [
    ...[...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    })),
    ...Object.entries(operation.query ?? {}).map(([name, schema]) => ({
      name,
      in: 'query',
      required: !schema.safeParse(undefined).success,
      schema: jsonSchema(schema, 'input'),
    })),
    ...Object.entries(operation.headers ?? {}).map(([name, description]) => ({
      name,
      in: 'header',
      required: false,
      description,
      schema: { type: 'string' },
    })),
    ...signatureParameters(access),
    ...(operation.repeatable ? [IDEMPOTENCY_KEY] : []),
  ]
  return {
    tags: [tagOf(path)],
    summary: operation.summary,
    description: descriptionOf(access, budget, operation),
    operationId: operationId(method, path),
    security: securityOf(access),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(operation.upload
      ? {
          requestBody: {
            required: true,
            content: { 'multipart/form-data': { schema: uploadSchema(operation.upload) } },
          },
        }
      : {}),
    ...(operation.body
      ? {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: jsonSchema(operation.body, 'input') } },
          },
        }
      : {}),
    responses: {
      [String(operation.status ?? 200)]: {
        description: 'Success',
        ...(method === 'HEAD' ? {} : { content: answerContent(operation) }),
      },
      ...otherResponses(operation),
      ...errorResponses(method, access, operation),
    },
  }
}

function uploadSchema({ files, fields }: UploadRules): JsonObject {
  const parts = [
    ...files.map((name) => [name, { type: 'string', format: 'binary' }]),
    ...fields.map((name) => [name, { type: 'string' }]),
  ]
  return { type: 'object', required: [...files, ...fields], properties: Object.fromEntries(parts) }
}

function answerContent({ mediaType = 'application/json', answer, otherAnswers }: Operation): JsonObject {
  return Object.fromEntries(
    Object.entries({ [mediaType]: answer, ...otherAnswers }).map(([type, schema]) => [
      type,
      { schema: jsonSchema(schema, 'output') },
    ]),
  )
}

function otherResponses({ alsoAnswers = {} }: Operation): JsonObject {
  return Object.fromEntries(
    Object.entries(alsoAnswers).map(([status, { when, answer }]) => [
      status,
      {
        description: when,
        ...(answer ? { content: { 'application/json': { schema: jsonSchema(answer, 'output') } } } : {}),
      },
    ]),
  )
}

/** `POST /api/agents/:id/retire` becomes `postAgentsIdRetire`. */
function operationId(method: string, path: string): string {
  const words = path.replace(/^\/api/, '').match(/[A-Za-z0-9]+/g) ?? []
  return method.toLowerCase() + words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join('')
}

function securityOf(access: Access): JsonObject[] {
  const accepted = Object.entries(ACCESS[access])
    .filter(([kind, verdict]) => kind !== 'nobody' && LETS_IN.has(verdict))
    .map(([kind, verdict]) => ({ [kind]: [], ...(wantsPasskey(verdict) ? { elevation: [] } : {}) }))
  if (access === 'anyone') return []
  return ACCESS[access].nobody === 'allow' ? [{}, ...accepted] : accepted
}

const LETS_IN: ReadonlySet<string> = new Set(['allow', 'elevated', 'operator', 'elevatedOperator'])

function wantsPasskey(verdict: string): boolean {
  return verdict === 'elevated' || verdict === 'elevatedOperator'
}

function errorResponses(method: string, access: Access, operation: Operation): JsonObject {
  const credential: ErrorCode[] =
    access === 'anyone' ? [] : ['UNAUTHENTICATED', 'agent_identity_not_a_credential']
  const session: ErrorCode[] = ACCESS[access].apiKey === 'SESSION_REQUIRED' ? ['SESSION_REQUIRED'] : []
  const elevation: ErrorCode[] = wantsPasskey(ACCESS[access].session) ? ['ELEVATION_REQUIRED'] : []
  const isOperators = access === 'operator' || access === 'elevatedOperator'
  const role: ErrorCode[] = isOperators ? ['FORBIDDEN'] : []
  const mayHaveBody = method !== 'GET' && method !== 'HEAD'
  const body = operation.upload ? UPLOAD_ERRORS : mayHaveBody ? BODY_ERRORS : []
  const repeated: ErrorCode[] = operation.repeatable ? ['VALIDATION_ERROR', 'IDEMPOTENCY_CONFLICT'] : []
  const codes = [
    ...new Set<ErrorCode>([
      ...credential,
      ...session,
      ...elevation,
      ...role,
      ...body,
      ...repeated,
      ...operation.errors,
      'RATE_LIMITED',
    ]),
  ]
  const responses: Record<string, JsonObject> = {}
  for (const code of codes) {
    const status = String(ERROR_CATALOGUE[code].status)
    const known = responses[status]?.description
    responses[status] = {
      description: known ? `${known}, \`${code}\`` : `\`${code}\``,
      content: ERROR_CONTENT,
    }
  }
  return responses
}

/** What the table says of an operation beside its summary. */
function descriptionOf(access: Access, budget: BudgetName, { repeatable, vital }: Operation): string {
  return [
    WHO_MAY_CALL[access],
    `Calls count against the rate limit \`${budget}\`.`,
    ...(repeatable ? ['Send an `Idempotency-Key` to repeat a call safely.'] : []),
    ...(vital ? ['Served even when the service sheds load.'] : []),
  ].join(' ')
}

const WHO_MAY_CALL: Readonly<Record<Access, string>> = {
  anyone: 'Needs no credential.',
  optional: 'Needs no credential; with one, the answer shows what its account may see.',
  optionalOrAgent: 'Needs no credential; with one, the answer shows what its holder may see.',
  optionalSession: 'Needs no credential; with a session, it acts on the signed-in account.',
  apiKey: 'Needs an API key.',
  session: 'Needs a session.',
  sessionOrApiKey: 'Needs a session or an API key.',
  signature: 'Needs a signed request.',
  signatureOrApiKey: 'Needs a signed request or an API key.',
  elevatedSession: 'Needs a session and a passkey that was just used in it.',
  operator: 'Needs the session of an operator.',
  elevatedOperator: 'Needs the session of an operator and a passkey that was just used in it.',
}

/** Errors are sent as problem details to a client that accepts them. Source: RFC 9457. */
const ERROR_REFERENCE = { schema: { $ref: '#/components/schemas/Error' } }
const ERROR_CONTENT = { 'application/json': ERROR_REFERENCE, 'application/problem+json': ERROR_REFERENCE }

/** Answers stay open: a field more is no breaking change. Source: `Spec: Versioning`. */
function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema: made }) => {
      if (io === 'output' && made.additionalProperties === false) delete made.additionalProperties
    },
  }) as JsonObject
  return rest
}

const ERROR_SCHEMA = {
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
  },
}
