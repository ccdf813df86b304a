import type { z } from 'zod'
import type { Access } from '../../middleware/authorise.ts'
import type { UploadRules } from '../../middleware/readUpload.ts'
import { INTERFACE_VERSION } from '../../middleware/writeAnswer.ts'
import type { Operation, TableRow } from '../operation.ts'
import { BUDGET_HEADERS, buildErrorResponses, ERROR_SCHEMA } from './buildErrorResponses.ts'
import { describeSchemas, type JsonSchema, type SchemaDescriber } from './describeSchemas.ts'
import { describeSignatureParameters } from './describeSignatureParameters.ts'
import { exampleOf, PLACEHOLDER } from './exampleOf.ts'
import examples from './examples.json' with { type: 'json' }
import { securityOf } from './securityOf.ts'
import { SECURITY_SCHEMES } from './securitySchemes.ts'
import { TAGS, tagOf } from './tags.ts'

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string', minLength: 1, maxLength: 255 },
  description:
    'For 24 hours, the same key and body return the original response, marked `Idempotent-Replayed: true`; a decision on access for a minute, and only while agent and endpoint are unchanged and its session, its receipt and what its owner approved in advance are in force',
}

const DESCRIPTION = `Registers agents and endpoints, decides whether an agent may perform an action at an endpoint, and records every decision in an audit log that anyone can verify on chain.

A POST that creates something takes an \`Idempotency-Key\`. It is ignored by those that return a session, which must not be stored; by uploads and exports, of which a second one changes nothing while the first is pending; and where a repetition replaces the former, as with challenges, passkeys and the subscription of a browser.

Besides the errors listed with it, any operation can answer 500 \`INTERNAL_ERROR\`, 503 \`SERVICE_UNAVAILABLE\`, 408 \`REQUEST_TIMEOUT\` and 431 \`HEADERS_TOO_LARGE\`. A path answers a method that it does not support with 405 \`METHOD_NOT_ALLOWED\` and \`Allow\`.`

/** Examples of request bodies that cannot be derived well from the schema, by method and path. */
const REQUESTS: Readonly<Record<string, unknown>> = examples.requests
/** The same for responses, with the media type if the operation has several. */
const RESPONSES: Readonly<Record<string, unknown>> = examples.responses

/**
 * The OpenAPI 3.1 document of a route table, built from the schemas that the operations parse with.
 *
 * Every JSON body has an example, either from `examples.json` or derived from the schema.
 *
 * Source: OpenAPI 3.1.
 */
export function openApiDocument(table: readonly TableRow[], publicUrl: string): JsonSchema {
  const schemas = describeSchemas()
  // Responses first: a schema that also occurs in requests is named after its responses.
  for (const [, , , , { answer }] of table) schemas.describe(answer, 'output')
  const paths: Record<string, JsonSchema> = {}
  for (const row of table) {
    const [method, path] = row
    const templated = path.replace(/:(\w+)/g, '{$1}')
    paths[templated] = { ...paths[templated], [method.toLowerCase()]: buildOperationObject(row, schemas) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Agent verification and endpoint registry',
      version: INTERFACE_VERSION,
      description: DESCRIPTION,
    },
    servers: [{ url: publicUrl }],
    tags: TAGS,
    paths,
    components: {
      securitySchemes: SECURITY_SCHEMES,
      headers: HEADERS,
      schemas: { ...schemas.named, Error: ERROR_SCHEMA },
    },
  }
}

function buildOperationObject(row: TableRow, schemas: SchemaDescriber): JsonSchema {
  const [method, path, access, budget, operation] = row
  const parameters = parametersOf(row, schemas)
  const requestBody = requestBodyOf(row, schemas)
  return {
    tags: [tagOf(path)],
    summary: operation.summary,
    description: descriptionOf(access, budget, operation),
    operationId: buildOperationId(method, path),
    security: securityOf(access),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(requestBody === undefined ? {} : { requestBody: { required: true, content: requestBody } }),
    responses: {
      [String(operation.status ?? 200)]: {
        description: 'Success',
        ...headersOf(row),
        ...(method === 'HEAD' ? {} : { content: answerContent(row, schemas) }),
      },
      ...buildOtherResponses(operation, schemas),
      ...buildErrorResponses(row),
    },
  }
}

function parametersOf([method, path, access, , operation]: TableRow, schemas: SchemaDescriber): object[] {
  return [
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
      schema: schemas.describe(schema, 'input'),
    })),
    ...Object.entries(operation.headers ?? {}).map(([name, description]) => ({
      name,
      in: 'header',
      required: false,
      description,
      schema: { type: 'string' },
    })),
    ...describeSignatureParameters(access),
    ...(operation.isTagged && method !== 'GET' ? [IF_MATCH] : []),
    ...(operation.repeatable ? [IDEMPOTENCY_KEY] : []),
  ]
}

function headersOf([, , , budget, { isTagged }]: TableRow): JsonSchema {
  const headers = { ...(isTagged ? { ETag: ENTITY_TAG } : {}), ...(budget === 'none' ? {} : BUDGET_HEADERS) }
  return Object.keys(headers).length > 0 ? { headers } : {}
}

/** Source: IETF draft "RateLimit header fields for HTTP". */
const HEADERS = {
  'RateLimit-Policy': {
    description: 'Name, calls and seconds of the rate limit that leaves the fewest calls; also of errors',
    schema: { type: 'string' },
  },
  RateLimit: {
    description: 'Remaining calls of that limit, and seconds until it starts again; also of errors',
    schema: { type: 'string' },
  },
}

const ENTITY_TAG = {
  description: 'Of the settings that can be changed; for `If-Match`',
  schema: { type: 'string' },
}

const IF_MATCH = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description: 'The `ETag` of the settings to change; if they have others by now, nothing changes',
  schema: { type: 'string' },
}

function requestBodyOf(
  [method, path, , , { upload, body }]: TableRow,
  schemas: SchemaDescriber,
): JsonSchema | undefined {
  if (upload !== undefined) return { 'multipart/form-data': { schema: uploadSchema(upload) } }
  if (body === undefined) return undefined
  const example = REQUESTS[`${method} ${path}`]
  return { 'application/json': media(body, 'input', schemas, example) }
}

function uploadSchema({ files, fields }: UploadRules): JsonSchema {
  const parts = [
    ...files.map((name) => [name, { type: 'string', format: 'binary' }]),
    ...fields.map((name) => [name, { type: 'string' }]),
  ]
  return { type: 'object', required: [...files, ...fields], properties: Object.fromEntries(parts) }
}

function answerContent([method, path, , , operation]: TableRow, schemas: SchemaDescriber): JsonSchema {
  const { mediaType = 'application/json', answer, otherMediaTypes = {} } = operation
  const key = `${method} ${path}`
  const others = Object.entries(otherMediaTypes).map(([type, schema]) => [
    type,
    media(schema, 'output', schemas, RESPONSES[`${key} ${type}`]),
  ])
  return {
    [mediaType]: media(answer, 'output', schemas, RESPONSES[key]),
    ...Object.fromEntries(others),
  }
}

function buildOtherResponses({ otherStatuses = {} }: Operation, schemas: SchemaDescriber): JsonSchema {
  return Object.fromEntries(
    Object.entries(otherStatuses).map(([status, { when, answer }]) => [
      status,
      {
        description: when,
        ...(answer ? { content: { 'application/json': media(answer, 'output', schemas) } } : {}),
      },
    ]),
  )
}

function media(
  schema: z.ZodType,
  io: 'input' | 'output',
  schemas: SchemaDescriber,
  example?: unknown,
): JsonSchema {
  const described = schemas.describe(schema, io)
  const shown = example ?? exampleOf(described, io, schemas.named)
  return { schema: described, ...(shown === PLACEHOLDER ? {} : { example: shown }) }
}

/** `POST /api/agents/:id/retire` becomes `postAgentsIdRetire`. */
function buildOperationId(method: string, path: string): string {
  const words = path.replace(/^\/api/, '').match(/[A-Za-z0-9]+/g) ?? []
  return method.toLowerCase() + words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join('')
}

/** What the table says about an operation beyond its summary. */
function descriptionOf(
  access: Access,
  budget: TableRow[3],
  { repeatable, vital, isPublicDocument }: Operation,
): string {
  return [
    ACCESS_DESCRIPTIONS[access],
    budget === 'none' ? 'Has no rate limit.' : `Calls count against the rate limit \`${budget}\`.`,
    ...(repeatable ? ['Send an `Idempotency-Key` to retry a call safely.'] : []),
    ...(isPublicDocument ? ['Pages of any origin may read the response.'] : []),
    ...(vital ? ['Served even when the service sheds load.'] : []),
  ].join(' ')
}

const ACCESS_DESCRIPTIONS: Readonly<Record<Access, string>> = {
  anyone: 'Needs no credential.',
  optional: 'Needs no credential; with one, the response includes what its account may see.',
  optionalOrAgent: 'Needs no credential; with one, the response includes what its holder may see.',
  optionalSession: 'Needs no credential; with a session, it acts on the signed-in account.',
  apiKey: 'Needs an API key.',
  session: 'Needs a session.',
  sessionOrApiKey: 'Needs a session or an API key.',
  signature: 'Needs a signed request.',
  signatureOrApiKey: 'Needs a signed request or an API key.',
  elevatedSession: 'Needs a session and a recent passkey assertion in it.',
  elevatedSessionOrSignature:
    'Needs a session and a recent passkey assertion in it, or a request that the owner’s key signed.',
  operator: 'Needs the session of an operator.',
  elevatedOperator: 'Needs the session of an operator and a recent passkey assertion in it.',
}
