import { isJsonObject } from '../json.ts'

type Block = Readonly<Record<string, unknown>>

/** Members of each kind of scheme, in A2A's own spelling. */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  apiKeySecurityScheme: ['description', 'location', 'name'],
  httpAuthSecurityScheme: ['description', 'scheme', 'bearerFormat'],
  openIdConnectSecurityScheme: ['description', 'openIdConnectUrl'],
  mtlsSecurityScheme: ['description'],
}

/** The value of `type` for each kind in OpenAPI and in A2A before 1.0. */
const KINDS: ReadonlyMap<unknown, string> = new Map([
  ['apiKey', 'apiKeySecurityScheme'],
  ['http', 'httpAuthSecurityScheme'],
  ['openIdConnect', 'openIdConnectSecurityScheme'],
  ['mutualTLS', 'mtlsSecurityScheme'],
])

/**
 * The security schemes of a declaration in the form of A2A 1.0. Schemes with a `type`, as in OpenAPI, are converted.
 *
 * OAuth 2.0 schemes and unknown kinds are omitted; `protocols.a2a` has the original declaration.
 *
 * Source: A2A 1.0 §4.5.
 */
export function securitySchemesOf(declared: unknown): Record<string, Block> {
  if (!isJsonObject(declared)) return {}
  const found = Object.entries(declared).map(([name, scheme]) => [name, schemeOf(scheme)] as const)
  return Object.fromEntries(found.filter((entry): entry is [string, Block] => entry[1] !== null))
}

function schemeOf(scheme: unknown): Block | null {
  if (!isJsonObject(scheme)) return null
  const kind = Object.keys(MEMBERS).find((name) => isJsonObject(scheme[name]))
  if (kind !== undefined) return { [kind]: textsOf(kind, scheme[kind]) }
  const translated = KINDS.get(scheme.type)
  if (translated === undefined) return null
  return { [translated]: textsOf(translated, { ...scheme, location: scheme.location ?? scheme.in }) }
}

function textsOf(kind: string, value: unknown): Block {
  const block = isJsonObject(value) ? value : {}
  const members = (MEMBERS[kind] ?? []).filter((member) => typeof block[member] === 'string')
  return Object.fromEntries(members.map((member) => [member, block[member]]))
}
