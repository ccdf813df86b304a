import { Ajv2020 } from 'ajv/dist/2020.js'

/** A response as far as the document describes it. */
type ReceivedResponse = {
  status: number
  type: string
  headers: Readonly<Record<string, unknown>>
  body: string
}

/** Finds how a response differs from what the document promises for its status and media type; null if it does not. */
export type FindDifference = (response: ReceivedResponse) => string | null

export type ResponseObject = {
  description?: string
  headers?: Record<string, { required?: boolean; schema: object } | { $ref: string }>
  content?: Record<string, object>
}
type Document = { paths: Record<string, Record<string, { responses: Record<string, ResponseObject> }>> }
/** Where a header of several responses is described once. */
const SHARED_HEADERS = '#/components/headers/'

const DOCUMENT = 'https://registry.example/openapi.json'

/**
 * Compiles the responses of an OpenAPI document, each schema when it is first needed.
 *
 * Source: OpenAPI 3.1 "Responses Object"; JSON Schema 2020-12.
 */
export function compileResponses(document: Document): (method: string, path: string) => FindDifference {
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats: FORMATS })
  ajv.addSchema({ $id: DOCUMENT, ...document })

  function findFault(dataVar: string, value: unknown, at: readonly string[]): string | null {
    const pointer = at.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
    const validate = ajv.getSchema(`${DOCUMENT}#${encodeURI(pointer)}/schema`)
    if (validate === undefined) throw new Error(`the document has no schema at ${pointer}`)
    return validate(value) ? null : ajv.errorsText(validate.errors, { dataVar })
  }

  return (method, path) => {
    const at = ['paths', path, method.toLowerCase(), 'responses']
    const responses = document.paths[path]?.[method.toLowerCase()]?.responses ?? {}
    return ({ status, type, headers, body }) => {
      const promised = responses[String(status)]
      if (promised === undefined) return `status ${status}, which is not documented`
      for (const [name, header] of Object.entries(promised.headers ?? {})) {
        const value = headers[name.toLowerCase()]
        if (value === undefined && 'required' in header && header.required)
          return `status ${status} without ${name}`
        const described =
          '$ref' in header
            ? ['components', 'headers', header.$ref.slice(SHARED_HEADERS.length)]
            : [...at, `${status}`, 'headers', name]
        const fault = value === undefined ? null : findFault(name, value, described)
        if (fault !== null) return fault
      }
      if (promised.content === undefined) return body === '' ? null : `a body with status ${status}`
      const [mediaType = ''] = type.split(';')
      if (promised.content[mediaType] === undefined) return `status ${status} of the type "${type}"`
      // An event stream is not read, and bytes have no schema.
      if (!/json$|^text\/plain/.test(mediaType)) return null
      return findFault('body', parseIfJson(body), [...at, `${status}`, 'content', mediaType])
    }
  }
}

/** The formats of the document that have no pattern beside them are URIs. */
const FORMATS = {
  uri: (text: string) => URL.canParse(text),
  uuid: true,
  base64: true,
  binary: true,
  'date-time': (text: string) => !Number.isNaN(Date.parse(text)),
} as const

function parseIfJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
