import fc from 'fast-check'
import { arbitraryJsonText, type KnownTexts } from './arbitraryJsonText.ts'
import { arbitraryUpload, UPLOAD_TYPE } from './arbitraryUpload.ts'
import type { FuzzCredential } from './fuzzCredential.ts'
import { hostileText } from './hostileTexts.ts'
import type { DocumentedOperation } from './readOperations.ts'

/** One request as sent over the wire. */
export type HostileRequest = {
  operation: DocumentedOperation
  /** The method of the operation, or one that its path does not support. */
  method: string
  /** Path and query; every character is one byte. */
  target: string
  /** Whether the path may match another operation, or none. */
  isElsewhere: boolean
  headers: Readonly<Record<string, string>>
  body: Buffer | null
  /** Index of the credential in the list of all kinds. */
  credential: number
}

type Scene = {
  operations: readonly DocumentedOperation[]
  /** The kinds of credential there are. */
  credentials: readonly FuzzCredential[]
  known: KnownTexts
}

const GOOD: ReadonlySet<string> = new Set(['key', 'session', 'elevated session', 'operator', 'signature'])

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'M-SEARCH', 'QUERY']

const HOSTILE_SEGMENTS = [
  ...[
    '%',
    '%zz',
    '%00',
    '%c0%af',
    '%ff',
    '%ed%a0%80',
    '%2e%2e',
    '..%2f..%2fetc%2fpasswd',
    '%0d%0aX: 1',
    '%25',
    '\u00ff',
  ],
  ...[
    '__proto__',
    'constructor',
    'null',
    'undefined',
    '-1',
    '0',
    '1e400',
    '9'.repeat(30),
    '%F0%9F%9B%92',
    '*',
    ':id',
  ],
  ...[
    'a'.repeat(3_000),
    `%${'41'.repeat(1_000)}`,
    "'%20OR%201=1",
    'SVC-',
    'SVC-000000000000000000000%00',
    '.',
    '~',
  ],
].map((segment) => segment.replaceAll(' ', '%20'))

const MEDIA_TYPES = [
  ...[
    'text/plain',
    'application/xml',
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'application/json2',
  ],
  ...[
    'application/json; charset=utf-16',
    'application/vnd.x+json',
    'application/x-www-form-urlencoded',
    '',
    ';;;',
  ],
]

const HEADERS: readonly (readonly [string, string])[] = [
  ['content-encoding', 'gzip'],
  ['idempotency-key', ''],
  ['idempotency-key', 'k'.repeat(300)],
  ['idempotency-key', 'the same'],
  ['idempotency-key', '\u00ff'],
  ['x-request-id', 'x'.repeat(200)],
  ['x-request-id', '\u00e9'],
  ['accept', 'application/problem+json'],
  ['accept', '*/*;q=abc'],
  ['accept', 'text/event-stream'],
  ['x-svc-id', '__proto__'],
  ['x-svc-credential', 'did:web:127.0.0.1'],
  ['x-svc-credential', 'x'.repeat(8_000)],
  ['x-svc-elevation', 'a.b.c'],
  ['x-svc-signature', `0x${'11'.repeat(65)}`],
  ['last-event-id', '-1'],
  ['last-event-id', '1e400'],
  ['mcp-protocol-version', '9999'],
  ['cookie', `svc_oauth=${'%'.repeat(100)}`],
  ['cookie', 'svc_oauth=__proto__; svc_oauth='],
  ['authorization', 'Bearer svc_live_\u00ff'],
  ['if-none-match', '*'],
  ['range', 'bytes=99999-1'],
  ['expect', 'a miracle'],
  ['x-forwarded-for', '127.0.0.1, %00'],
]

/** Requests derived from the documented operations, with few, many or all parts made invalid. */
export function arbitraryRequest({ operations, credentials, known }: Scene): fc.Arbitrary<HostileRequest> {
  const served = new Map(operations.map((one) => [`${one.method} ${one.path}`, one]))
  const requests = operations.map((operation) => requestOf(operation, credentials, known))
  return fc.oneof(...requests).map((one) => {
    const operation = served.get(`${one.method} ${one.operation.path}`)
    return operation ? { ...one, operation } : { ...one, isElsewhere: true }
  })
}

function requestOf(
  operation: DocumentedOperation,
  credentials: readonly FuzzCredential[],
  known: KnownTexts,
) {
  return fc
    .record({
      method: rarely(25, operation.method, fc.constantFrom(...METHODS)),
      path: pathOf(operation, known),
      query: queryOf(operation, known),
      headers: headersOf(operation),
      type: fc.oneof(
        { weight: 20, arbitrary: fc.constant(operation.isUpload ? UPLOAD_TYPE : 'application/json') },
        { weight: 1, arbitrary: fc.constantFrom(...MEDIA_TYPES) },
      ),
      body: operation.isUpload ? arbitraryUpload : bodyOf(operation, known),
      credential: credentialOf(credentials),
    })
    .map(
      ({ method, path, query, headers, type, body, credential }): HostileRequest => ({
        operation,
        method,
        target: path.text + query,
        isElsewhere: path.isHostile,
        headers: { ...(body === null || type === '' ? {} : { 'content-type': type }), ...headers },
        body,
        credential,
      }),
    )
}

/** A valid one half of the time, because most requests would otherwise fail at authentication. */
function credentialOf(credentials: readonly FuzzCredential[]): fc.Arbitrary<number> {
  const good = credentials.flatMap(([, kind], at) => (GOOD.has(kind) ? [at] : []))
  return fc.oneof(fc.constantFrom(...good), fc.nat({ max: credentials.length - 1 }))
}

function pathOf({ path }: DocumentedOperation, known: KnownTexts) {
  const segments = path
    .split('/')
    .map((segment, at, all): fc.Arbitrary<{ text: string; isHostile: boolean }> => {
      const [, name, suffix = ''] = /^\{(\w+)\}(.*)$/.exec(segment) ?? []
      if (name === undefined) return fc.constant({ text: segment, isHostile: false })
      const good = known.byName[`${all[at - 1]}/${name}`] ?? known.byName[name] ?? known.any
      return fc.oneof(
        {
          weight: 5,
          arbitrary: fc.constantFrom(...good).map((text) => ({ text: text + suffix, isHostile: false })),
        },
        {
          weight: 1,
          arbitrary: fc
            .constantFrom(...HOSTILE_SEGMENTS)
            .map((text) => ({ text: text + suffix, isHostile: true })),
        },
      )
    })
  return fc.tuple(...segments).map((parts) => ({
    text: parts.map(({ text }) => text).join('/'),
    isHostile: parts.some(({ isHostile }) => isHostile),
  }))
}

function queryOf({ parameters }: DocumentedOperation, known: KnownTexts): fc.Arbitrary<string> {
  const named = parameters
    .filter((one) => one.in === 'query')
    .map(({ name, schema }) =>
      fc.option(
        fc.oneof(
          {
            weight: 4,
            arbitrary: arbitraryJsonText(schema, known, name).map((text) => `${name}=${queryText(text)}`),
          },
          { weight: 1, arbitrary: fc.constantFrom(...HOSTILE_SEGMENTS).map((text) => `${name}=${text}`) },
          { weight: 1, arbitrary: fc.constant(`${name}=1&${name}=2`) },
        ),
        { nil: '', freq: 2 },
      ),
    )
  const more = rarely(8, '', fc.constantFrom('__proto__=1', 'a[b][c]=1', '%', '=&&=', `${'a&'.repeat(500)}`))
  return fc.tuple(...named, more).map((parts) => {
    const given = parts.filter((part) => part !== '')
    return given.length === 0 ? '' : `?${given.join('&')}`
  })
}

/** How a query writes a JSON text: a string loses its quotes. */
function queryText(json: string): string {
  const text = /^"(.*)"$/s.exec(json)?.[1] ?? json
  return encodeURIComponent(text.toWellFormed()).slice(0, 6_000)
}

function headersOf({ parameters }: DocumentedOperation): fc.Arbitrary<Record<string, string>> {
  const documented = parameters.filter((one) => one.in === 'header').map(({ name }) => name.toLowerCase())
  const values = [
    '',
    'x',
    '__proto__',
    '\u00ff\u00fe',
    'x'.repeat(2_000),
    '0',
    '{}',
    'SVC-0000000000000000000000',
  ]
  const own = documented.flatMap((name) => values.map((value) => [name, value] as const))
  const one = fc.constantFrom(...own, ...HEADERS)
  return rarely(5, [], fc.array(one, { minLength: 1, maxLength: 3 })).map((pairs) =>
    Object.fromEntries(pairs),
  )
}

/** The ordinary value, except once in `times`. */
function rarely<Value>(times: number, ordinary: Value, other: fc.Arbitrary<Value>): fc.Arbitrary<Value> {
  return fc.oneof({ weight: times - 1, arbitrary: fc.constant(ordinary) }, { weight: 1, arbitrary: other })
}

/** Larger than the 256 KiB that a body may have. */
const OVERSIZED = Buffer.alloc(256 * 1024 + 1, 'x')

function bodyOf(
  { method, body: schema }: DocumentedOperation,
  known: KnownTexts,
): fc.Arbitrary<Buffer | null> {
  const described = (schema ? arbitraryJsonText(schema, known) : fc.constantFrom('{}', '')).map((text) =>
    Buffer.from(text),
  )
  const broken = fc
    .tuple(described, fc.nat(), fc.constantFrom('cut', 'twice', 'bom', 'bytes', 'nul'))
    .map(([text, place, how]) => {
      if (how === 'cut') return text.subarray(0, place % (text.length + 1))
      if (how === 'twice') return Buffer.concat([text, text])
      if (how === 'bom') return Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), text])
      if (how === 'nul') return Buffer.concat([text, Buffer.from([0])])
      const at = place % (text.length + 1)
      return Buffer.concat([text.subarray(0, at), Buffer.from([0xc3, 0x28, 0xff]), text.subarray(at)])
    })
  const hostile = fc.oneof(
    { weight: 30, arbitrary: broken },
    { weight: 20, arbitrary: hostileText.map((text) => Buffer.from(text)) },
    { weight: 1, arbitrary: fc.constant(OVERSIZED) },
  )
  const hasNone = method === 'GET' || method === 'HEAD' || schema === undefined
  return fc.oneof(
    { weight: hasNone ? 1 : 20, arbitrary: described.map((text) => (text.length === 0 ? null : text)) },
    { weight: hasNone ? 20 : 1, arbitrary: fc.constant(null) },
    { weight: 2, arbitrary: hostile },
  )
}
