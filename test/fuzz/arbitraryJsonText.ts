import fc from 'fast-check'
import { hostileText } from './hostileTexts.ts'

/** The subset of JSON Schema that the documented bodies and parameters use. */
export type JsonSchema = {
  type?: string
  properties?: Record<string, JsonSchema>
  required?: readonly string[]
  items?: JsonSchema
  anyOf?: readonly JsonSchema[]
  oneOf?: readonly JsonSchema[]
  allOf?: readonly JsonSchema[]
  enum?: readonly unknown[]
  const?: unknown
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  examples?: readonly unknown[]
  /** Set for a member of responses that a request must not have. */
  readOnly?: boolean
}

/** Texts that are valid for many fields, and texts valid for fields of one name. */
export type KnownTexts = {
  any: readonly string[]
  byName: Readonly<Record<string, readonly string[]>>
  /** Set if only texts that match the schema are wanted. */
  isPlain?: boolean
}

const HOSTILE_NAMES = ['"__proto__"', '"constructor"', '""', '"\\u0000"', '"\\ud800"', '"unknown"']
const ITEMS_MAX = 3

/**
 * Generates JSON texts for a schema in which any value, at any depth, may be replaced by a hostile text, and any object
 * may have an extra, a duplicate or a missing member.
 *
 * Texts rather than values, because a value can represent neither `1e400` nor a duplicate name.
 */
export function arbitraryJsonText(schema: JsonSchema, known: KnownTexts, name = ''): fc.Arbitrary<string> {
  if (known.isPlain) return goodText(schema, known, name)
  return fc.oneof(
    { weight: 14, arbitrary: goodText(schema, known, name) },
    { weight: 1, arbitrary: hostileText },
  )
}

function goodText(schema: JsonSchema, known: KnownTexts, name: string): fc.Arbitrary<string> {
  const { anyOf, oneOf, ...common } = schema
  const choices = anyOf ?? oneOf
  if (choices) return fc.oneof(...choices.map((one) => goodText({ ...common, ...one }, known, name)))
  if (schema.const !== undefined) return fc.constant(JSON.stringify(schema.const))
  if (schema.enum) return fc.constantFrom(...schema.enum.map((one) => JSON.stringify(one)))
  switch (schema.type) {
    case 'object':
      return objectText(schema, known)
    case 'array':
      return fc
        .array(arbitraryJsonText(schema.items ?? {}, known, name), {
          minLength: schema.minItems ?? 0,
          maxLength: Math.min(schema.maxItems ?? ITEMS_MAX, ITEMS_MAX),
        })
        .map((items) => `[${items.join(',')}]`)
    case 'string':
      return fc.constantFrom(...textsFor(schema, known, name).map((text) => JSON.stringify(text)))
    case 'integer':
    case 'number':
      return numberText(schema, known.isPlain)
    case 'boolean':
      return fc.constantFrom('true', 'false')
    case 'null':
      return fc.constant('null')
    default:
      return fc.json({ maxDepth: 2 })
  }
}

function objectText({ properties = {}, required = [] }: JsonSchema, known: KnownTexts): fc.Arbitrary<string> {
  const sent = Object.entries(properties).filter(([, { readOnly }]) => !(known.isPlain && readOnly))
  const members = sent.map(([name, schema]) => {
    const member = arbitraryJsonText(schema, known, name).map((text) => `${JSON.stringify(name)}:${text}`)
    if (known.isPlain) return required.includes(name) ? member : fc.oneof(...[member, ...NO_MEMBER])
    return fc.option(member, { nil: '', freq: required.includes(name) ? 40 : 2 })
  })
  if (known.isPlain) return joined(members)
  const more = fc.oneof(
    { weight: 12, arbitrary: fc.constant('') },
    {
      weight: 1,
      arbitrary: fc
        .tuple(
          fc.constantFrom(...HOSTILE_NAMES, ...Object.keys(properties).map((key) => JSON.stringify(key))),
          hostileText,
        )
        .map(([name, text]) => `${name}:${text}`),
    },
  )
  return joined([...members, more])
}

/** Most optional members are left out, because the rules between them would reject most requests that have them all. */
const NO_MEMBER = [fc.constant(''), fc.constant(''), fc.constant('')]

function joined(members: readonly fc.Arbitrary<string>[]): fc.Arbitrary<string> {
  return fc.tuple(...members).map((texts) => `{${texts.filter((text) => text !== '').join(',')}}`)
}

function numberText(
  { type, minimum = -10, maximum = 1_000 }: JsonSchema,
  isPlain = false,
): fc.Arbitrary<string> {
  const bounds = [minimum, maximum, minimum - 1, maximum + 1].map(String)
  const inside =
    type === 'integer'
      ? fc.integer({ min: Math.ceil(minimum), max: Math.min(maximum, 2 ** 40) })
      : fc.double({ min: minimum, max: maximum, noNaN: true })
  if (isPlain) return inside.map(String)
  return fc.oneof(
    { weight: 6, arbitrary: inside.map(String) },
    { weight: 1, arbitrary: fc.constantFrom(...bounds) },
  )
}

const SAMPLES = [
  ...[
    'shopping:buy',
    'buy',
    'Acme',
    'DE',
    'EUR',
    'usd',
    '/orders/1',
    '/orders/**',
    'https://shop.acme.io/api',
  ],
  ...['0', '12', 'svc', 'member', `0x${'11'.repeat(20)}`, `0x${'22'.repeat(32)}`, `0x${'33'.repeat(65)}`],
  ...['2026-01-01T00:00:00Z', 'aGVsbG8', 'aGVsbG8=', 'discovered', 'a@people.io', 'correct horse battery'],
  ...['00000000-0000-4000-8000-000000000000', 'SVC-0000000000000000000000', 'SVCD-0000000000000000000000'],
]

/** Samples that the schema accepts, those of the field's own name first; otherwise a text generated from its pattern. */
function textsFor(schema: JsonSchema, known: KnownTexts, name: string): readonly string[] {
  const patterns = [schema, ...(schema.allOf ?? [])].flatMap(({ pattern }) =>
    pattern ? [new RegExp(pattern, 'u')] : [],
  )
  const isGood = (text: string) =>
    text.length >= (schema.minLength ?? 0) &&
    text.length <= (schema.maxLength ?? Number.POSITIVE_INFINITY) &&
    patterns.every((pattern) => pattern.test(text))
  const own = known.byName[name]?.filter(isGood) ?? []
  if (own.length > 0) return own
  const examples = (schema.examples ?? []).filter((one): one is string => typeof one === 'string')
  const good = [...examples, ...known.any, ...SAMPLES].filter(isGood)
  if (good.length > 0) return good
  const pattern = patterns[0]
  return pattern
    ? fc.sample(fc.stringMatching(pattern), { numRuns: 5, seed: 1 })
    : ['x'.repeat(schema.minLength ?? 1)]
}
