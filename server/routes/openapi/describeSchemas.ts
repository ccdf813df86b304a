import { z } from 'zod'
import { NAMED_SCHEMAS } from './namedSchemas.ts'

export type JsonSchema = Record<string, unknown>

/** Converts schemas of requests (`input`) or responses (`output`) and collects the named ones. */
export type SchemaDescriber = {
  describe(schema: z.ZodType, io: 'input' | 'output'): JsonSchema
  /** The named schemas that have been described so far, for `components.schemas`. */
  named: Readonly<Record<string, JsonSchema>>
}

const NAMES = new Map<unknown, string>(Object.entries(NAMED_SCHEMAS).map(([name, schema]) => [schema, name]))

/** Adds our names to the metadata of the schemas without changing the global registry. */
class NamingRegistry extends z.core.$ZodRegistry<z.core.JSONSchemaMeta> {
  override get<Schema extends z.core.$ZodType>(schema: Schema) {
    const meta = z.globalRegistry.get(schema)
    const id = NAMES.get(schema)
    return id === undefined ? meta : { ...meta, id }
  }
}

/**
 * Describes schemas as JSON Schema, with references to `components.schemas` in place of named ones.
 *
 * Requests and responses differ: responses stay open to future members, and members with defaults are optional only in a
 * request. A name that occurs in both gets the suffix `Input` in requests, so describe the responses first.
 *
 * Source: `Spec: Versioning`; OpenAPI 3.1 "Schema Object".
 */
export function describeSchemas(): SchemaDescriber {
  const registry = new NamingRegistry()
  const named: Record<string, JsonSchema> = {}
  const outputs = new Set<string>()

  function nameOf(id: string, io: 'input' | 'output'): string {
    return io === 'input' && outputs.has(id) ? `${id}Input` : id
  }

  function describe(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const { $schema, $defs, ...converted } = z.toJSONSchema(schema, {
      io,
      metadata: registry,
      unrepresentable: 'any',
      override: ({ jsonSchema }) => {
        delete jsonSchema.id
        if (io === 'output' && jsonSchema.additionalProperties === false)
          delete jsonSchema.additionalProperties
      },
    }) as JsonSchema & { $defs?: Record<string, JsonSchema> }
    const definitions = Object.entries($defs ?? {})
    if (io === 'output') for (const [id] of definitions) outputs.add(id)
    for (const [id, definition] of definitions) named[nameOf(id, io)] ??= referring(definition, io)
    return referring(converted, io)
  }

  /** Points the references of one conversion at the components of the document. */
  function referring(schema: JsonSchema, io: 'input' | 'output'): JsonSchema {
    return JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
      key === '$ref' && typeof value === 'string'
        ? `#/components/schemas/${nameOf(value.replace('#/$defs/', ''), io)}`
        : value,
    )
  }

  return { describe, named }
}
