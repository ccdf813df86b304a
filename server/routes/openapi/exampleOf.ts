import type { JsonSchema } from './describeSchemas.ts'
import examples from './examples.json' with { type: 'json' }

/** Examples by member name; of several, the first that the member's schema allows is used. */
const MEMBERS: Readonly<Record<string, readonly unknown[]>> = examples.members
/** Examples by schema name. */
const RESOURCES: Readonly<Record<string, unknown>> = examples.resources

/**
 * Derives an example of a described schema: the example for its name or for the member's name if there is one, otherwise
 * the simplest value that the schema allows.
 *
 * Members of a request are shown if they are required, members of a response always.
 *
 * @param name of the member that holds the value.
 */
export function exampleOf(
  schema: JsonSchema,
  io: 'input' | 'output',
  named: Readonly<Record<string, JsonSchema>>,
  name = '',
): unknown {
  const reference = typeof schema.$ref === 'string' ? schema.$ref.replace('#/components/schemas/', '') : null
  if (reference !== null) {
    const known = RESOURCES[reference.replace(/Input$/, '')]
    return known ?? exampleOf(named[reference] ?? {}, io, named, name)
  }
  if (schema.const !== undefined) return schema.const
  if (schema.default !== undefined) return schema.default
  const known = (MEMBERS[name] ?? []).find((value) => fits(value, schema))
  if (known !== undefined) return known
  if (fits(null, schema)) return null
  if (Array.isArray(schema.enum)) return schema.enum[0]
  const options = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined
  if (options !== undefined) return exampleOf(options[0] ?? {}, io, named, name)
  switch (typeOf(schema)) {
    case 'object':
      return buildExampleObject(schema, io, named)
    case 'array':
      return [exampleOf(schema.items as JsonSchema, io, named, name)]
    case 'boolean':
      return true
    case 'integer':
    case 'number':
      return 1
    case 'string':
      return PLACEHOLDER
    default:
      return {}
  }
}

function buildExampleObject(
  schema: JsonSchema,
  io: 'input' | 'output',
  named: Readonly<Record<string, JsonSchema>>,
): JsonSchema {
  const required = new Set((schema.required as string[] | undefined) ?? [])
  const members = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>)
  return Object.fromEntries(
    members
      .filter(([name]) => io === 'output' || required.has(name))
      .map(([name, member]) => [name, exampleOf(member, io, named, name)] as const)
      .filter(([name, value]) => required.has(name) || value !== PLACEHOLDER),
  )
}

/** Stands for a required text without an example; a test makes sure that there is none. */
export const PLACEHOLDER = 'example'

/** Whether a value has the type and the form of a schema; the tests validate the finished examples in full. */
function fits(value: unknown, schema: JsonSchema): boolean {
  const options = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined
  if (options !== undefined) return options.some((option) => fits(value, option))
  if (Array.isArray(schema.enum)) return schema.enum.includes(value)
  if (value === null) return [schema.type].flat().includes('null')
  const type = typeOf(schema)
  if (type === 'boolean') return typeof value === 'boolean'
  if (type === 'string') {
    return typeof value === 'string' && new RegExp(String(schema.pattern ?? ''), 'u').test(value)
  }
  if (type === 'integer' || type === 'number') return typeof value === 'number'
  if (type === 'array') {
    return Array.isArray(value) && value.every((item) => fits(item, schema.items as JsonSchema))
  }
  return type === 'object' && typeof value === 'object' && !Array.isArray(value)
}

/** The type of a schema; of several, the first one other than `null`. */
function typeOf({ type }: JsonSchema): unknown {
  return Array.isArray(type) ? type.find((one) => one !== 'null') : type
}
