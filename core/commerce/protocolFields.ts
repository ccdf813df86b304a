import { z } from 'zod'
import { PROTOCOLS, type Protocol } from './commerceProtocol.ts'
import { protocolDeclarations } from './protocolDeclarations.ts'

/** One field of a declaration as a form shows it. */
export type ProtocolField = {
  /** Path in the block, its parts joined by dots, such as `policyClaims.maxTransactionValue`. */
  readonly name: string
  readonly required: boolean
  /** `texts` is a list of texts; `json` is anything that has no simpler form. */
  readonly type: 'text' | 'url' | 'number' | 'boolean' | 'texts' | 'json'
  readonly hint: string
  /** Values to choose from. */
  readonly enum?: readonly string[]
  /** Whether values other than those of `enum` are accepted. */
  readonly isOpen?: boolean
}

type Schema = z.core.JSONSchema.BaseSchema

/**
 * The fields of each protocol's declaration, derived from the schemas, so that forms and validation always agree.
 *
 * Source: docs/protocols.md.
 */
export const protocolFields: Readonly<Record<Protocol, readonly ProtocolField[]>> = Object.fromEntries(
  PROTOCOLS.map((protocol) => [protocol, fieldsOf(schemaOf(protocol), '', true)]),
) as Record<Protocol, ProtocolField[]>

function schemaOf(protocol: Protocol): Schema {
  return z.toJSONSchema(protocolDeclarations[protocol], { unrepresentable: 'any' })
}

function fieldsOf(schema: Schema, prefix: string, isRequired: boolean): ProtocolField[] {
  return Object.entries(schema.properties ?? {}).flatMap(([member, value]) => {
    if (typeof value === 'boolean') return []
    const name = prefix + member
    const required = isRequired && (schema.required ?? []).includes(member)
    return value.properties ? fieldsOf(value, `${name}.`, required) : [fieldOf(name, required, value)]
  })
}

function fieldOf(name: string, required: boolean, schema: Schema): ProtocolField {
  const item = itemOf(schema)
  const known = (schema.enum ?? schema.examples ?? item?.enum ?? item?.examples ?? []) as string[]
  return {
    name,
    required,
    type: typeOf(schema),
    hint: schema.description ?? '',
    ...(known.length > 0 ? { enum: known, isOpen: (schema.enum ?? item?.enum) === undefined } : {}),
  }
}

function typeOf(schema: Schema): ProtocolField['type'] {
  const { type, format } = schema
  if (type === 'integer') return 'number'
  if (type === 'number' || type === 'boolean') return type
  if (type === 'string') return format === 'uri' ? 'url' : 'text'
  if (maybeText(schema)) return 'text'
  return type === 'array' && maybeText(itemOf(schema)) ? 'texts' : 'json'
}

/** Of several forms that a field accepts, a form offers text. */
function maybeText(schema: Schema | undefined): boolean {
  return schema?.type === 'string' || schema?.anyOf?.some((one) => Object(one).type === 'string') === true
}

function itemOf({ items }: Schema): Schema | undefined {
  return Array.isArray(items) || typeof items === 'boolean' ? undefined : items
}
