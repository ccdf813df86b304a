import { isJsonObject } from '../json.ts'
import { oauthFlowsOf } from './oauthFlowsOf.ts'

type Block = Readonly<Record<string, unknown>>

/** The texts of a kind of scheme; without the required ones, A2A does not define it. */
type Kind = { required: readonly string[]; optional: readonly string[] }

/** Each kind of scheme in A2A's own spelling. Source: A2A 1.0 §4.5. */
const KINDS: Readonly<Record<string, Kind>> = {
  apiKeySecurityScheme: { required: ['location', 'name'], optional: ['description'] },
  httpAuthSecurityScheme: { required: ['scheme'], optional: ['description', 'bearerFormat'] },
  oauth2SecurityScheme: { required: [], optional: ['description', 'oauth2MetadataUrl'] },
  openIdConnectSecurityScheme: { required: ['openIdConnectUrl'], optional: ['description'] },
  mtlsSecurityScheme: { required: [], optional: ['description'] },
}

/** The value of `type` for each kind in OpenAPI and in A2A before 1.0. */
const OPENAPI_TYPES: ReadonlyMap<unknown, string> = new Map([
  ['apiKey', 'apiKeySecurityScheme'],
  ['http', 'httpAuthSecurityScheme'],
  ['oauth2', 'oauth2SecurityScheme'],
  ['openIdConnect', 'openIdConnectSecurityScheme'],
  ['mutualTLS', 'mtlsSecurityScheme'],
])

/**
 * The security schemes of a declaration in the form of A2A 1.0. Schemes with a `type`, as in OpenAPI, are converted.
 *
 * Unknown kinds, and schemes without what A2A requires, are omitted; `protocols.a2a` has the original declaration.
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
  const stated = Object.keys(KINDS).find((name) => isJsonObject(scheme[name]))
  if (stated !== undefined) return buildScheme(stated, scheme[stated])
  const translated = OPENAPI_TYPES.get(scheme.type)
  if (translated === undefined) return null
  return buildScheme(translated, { ...scheme, location: scheme.location ?? scheme.in })
}

function buildScheme(name: string, members: unknown): Block | null {
  const kind = KINDS[name]
  if (kind === undefined || !isJsonObject(members)) return null
  const isText = (member: string) => typeof members[member] === 'string' && members[member] !== ''
  if (!kind.required.every(isText)) return null
  const shown = [...kind.required, ...kind.optional].filter(isText).map((member) => [member, members[member]])
  if (name !== 'oauth2SecurityScheme') return { [name]: Object.fromEntries(shown) }
  const flows = oauthFlowsOf(members.flows)
  return flows === null ? null : { [name]: { ...Object.fromEntries(shown), flows } }
}
