import fc from 'fast-check'
import { arbitraryJsonText, type KnownTexts } from './arbitraryJsonText.ts'
import type { HostileRequest } from './arbitraryRequest.ts'
import { changeOnce } from './changeOnce.ts'
import type { FuzzCredential } from './fuzzCredential.ts'
import type { DocumentedOperation } from './readOperations.ts'

type Scene = {
  operations: readonly DocumentedOperation[]
  credentials: readonly FuzzCredential[]
  known: KnownTexts
}

/** The kinds of credential that each scheme of the document stands for. */
const KINDS: Readonly<Record<string, readonly string[]>> = {
  apiKey: ['key'],
  session: ['session', 'elevated session', 'operator'],
  elevation: ['elevated session', 'operator'],
  signature: ['signature'],
  agent: [],
}

/** Requests as the document describes them: valid ones, and ones that differ from it in one place. */
export function arbitraryPlausibleRequest({ operations, credentials, known }: Scene) {
  const plain = { ...known, isPlain: true }
  return fc.oneof(...operations.map((operation) => requestOf(operation, credentials, plain)))
}

function requestOf(
  operation: DocumentedOperation,
  credentials: readonly FuzzCredential[],
  known: KnownTexts,
): fc.Arbitrary<HostileRequest> {
  const { method, body: schema, example } = operation
  const accept = fc.constantFrom('*/*', 'application/json', 'application/problem+json', 'text/plain')
  return fc
    .record({
      path: pathOf(operation, known),
      query: queryOf(operation, known),
      accept: fc.oneof({ weight: 5, arbitrary: fc.constant('*/*') }, { weight: 1, arbitrary: accept }),
      body: schema ? bodyOf(arbitraryJsonText(schema, known), example) : fc.constant(null),
      credential: credentialOf(operation, credentials),
    })
    .map(({ path, query, accept: accepted, body, credential }) => ({
      ...{ operation, method, isElsewhere: false, body, credential },
      target: path + query,
      headers: {
        // The protocol needs both types: https://modelcontextprotocol.io, Streamable HTTP.
        accept: operation.path === '/mcp' ? 'application/json, text/event-stream' : accepted,
        ...(body === null ? {} : { 'content-type': 'application/json' }),
      },
    }))
}

/** Mostly one that the operation admits. */
function credentialOf({ schemes }: DocumentedOperation, credentials: readonly FuzzCredential[]) {
  const kinds = new Set(schemes.flatMap((scheme) => KINDS[scheme] ?? []))
  const admitted = credentials.flatMap(([, kind], at) => (kinds.has(kind) ? [at] : []))
  const any = fc.nat({ max: credentials.length - 1 })
  if (admitted.length === 0) return any
  return fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...admitted) }, { weight: 1, arbitrary: any })
}

function pathOf({ path }: DocumentedOperation, known: KnownTexts): fc.Arbitrary<string> {
  const segments = path.split('/').map((segment, at, all): fc.Arbitrary<string> => {
    const [, name, suffix = ''] = /^\{(\w+)\}(.*)$/.exec(segment) ?? []
    if (name === undefined) return fc.constant(segment)
    const good = known.byName[`${all[at - 1]}/${name}`] ?? known.byName[name] ?? known.any
    return fc.constantFrom(...good).map((text) => text + suffix)
  })
  return fc.tuple(...segments).map((parts) => parts.join('/'))
}

function queryOf({ parameters }: DocumentedOperation, known: KnownTexts): fc.Arbitrary<string> {
  const named = parameters
    .filter((one) => one.in === 'query')
    .map(({ name, schema }) =>
      fc.option(
        arbitraryJsonText(schema, known, name).map((json) => {
          const text = /^"(.*)"$/s.exec(json)?.[1] ?? json
          return `${name}=${encodeURIComponent(text)}`
        }),
        { nil: '', freq: 2 },
      ),
    )
  return fc.tuple(...named).map((parts) => {
    const given = parts.filter((part) => part !== '')
    return given.length === 0 ? '' : `?${given.join('&')}`
  })
}

/** A generated text or the document's example, as it is or with one change. */
function bodyOf(generated: fc.Arbitrary<string>, example: string | undefined): fc.Arbitrary<Buffer> {
  const shown = example === undefined ? [] : [{ weight: 1, arbitrary: fc.constant(example) }]
  const text = fc.oneof({ weight: 3, arbitrary: generated }, ...shown)
  const changed = fc.tuple(text, fc.nat(), fc.nat()).map(([one, place, kind]) => changeOnce(one, place, kind))
  return fc
    .oneof({ weight: 3, arbitrary: text }, { weight: 2, arbitrary: changed })
    .map((one) => Buffer.from(one))
}
