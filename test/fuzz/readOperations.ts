import type { JsonSchema } from './arbitraryJsonText.ts'
import { compileResponses, type FindDifference, type ResponseObject } from './compileResponses.ts'

type Parameter = { name: string; in: 'path' | 'query' | 'header'; schema: JsonSchema }

/** One operation as the service's own document describes it. */
export type DocumentedOperation = {
  method: string
  /** Path with `{name}` for parameters. */
  path: string
  parameters: readonly Parameter[]
  /** Schema of the JSON body, where it takes one. */
  body: JsonSchema | undefined
  /** The example of that body, as JSON text. */
  example: string | undefined
  isUpload: boolean
  /** Statuses that it may return. */
  statuses: ReadonlySet<number>
  /** Codes of the errors that it may return. */
  codes: ReadonlySet<string>
  /** Names of the security schemes that it requires or admits. */
  schemes: readonly string[]
  /** Compares a response with the schema and the headers that are documented for its status and media type. */
  findDifference: FindDifference
}

type Document = {
  paths: Record<string, Record<string, OperationObject>>
  components: { schemas: Record<string, JsonSchema> }
}

type OperationObject = {
  security?: Record<string, unknown>[]
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: JsonSchema; example?: unknown }> }
  responses: Record<string, ResponseObject & { description: string }>
}

/** Reads every operation of the OpenAPI document that a started service serves. */
export async function readOperations(baseUrl: string): Promise<DocumentedOperation[]> {
  const answer = await fetch(`${baseUrl}/api/openapi.json`)
  const document = (await answer.json()) as Document
  const differenceOf = compileResponses(document)
  const { paths } = withoutReferences(document, document.components.schemas) as Document
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operationOf(method, path, operation),
      findDifference: differenceOf(method, path),
    })),
  )
}

function operationOf(
  method: string,
  path: string,
  { security = [], parameters = [], requestBody, responses }: OperationObject,
): Omit<DocumentedOperation, 'findDifference'> {
  const content = requestBody?.content ?? {}
  const descriptions = Object.values(responses).map(({ description }) => description)
  return {
    method: method.toUpperCase(),
    path,
    parameters,
    body: content['application/json']?.schema,
    example: JSON.stringify(content['application/json']?.example),
    isUpload: 'multipart/form-data' in content,
    schemes: security.flatMap((one) => Object.keys(one)),
    statuses: new Set(Object.keys(responses).map(Number)),
    codes: new Set(
      descriptions.flatMap((text) => [...text.matchAll(/`(\w+)`/g)].map(([, code = '']) => code)),
    ),
  }
}

/** Replaces each reference to a named schema by a copy of that schema. */
function withoutReferences(value: unknown, schemas: Record<string, JsonSchema>): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutReferences(item, schemas))
  if (typeof value !== 'object' || value === null) return value
  const { $ref, ...members } = value as Record<string, unknown>
  const named = typeof $ref === 'string' ? schemas[$ref.replace('#/components/schemas/', '')] : {}
  const entries = Object.entries({ ...named, ...members })
  return Object.fromEntries(entries.map(([name, member]) => [name, withoutReferences(member, schemas)]))
}
