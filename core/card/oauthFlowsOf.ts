import { isJsonObject } from '../json.ts'

type Block = Readonly<Record<string, unknown>>

/** Flows that A2A deprecates; their scopes may be absent. Source: A2A 1.0 §4.5.7. */
const DEPRECATED = ['implicit', 'password']

/** The URLs that each flow needs, best flow first. Source: A2A 1.0 §4.5.7; OpenAPI 3.1 "OAuth Flow Object". */
const FLOWS: readonly (readonly [flow: string, required: readonly string[]])[] = [
  ['authorizationCode', ['authorizationUrl', 'tokenUrl']],
  ['clientCredentials', ['tokenUrl']],
  ['deviceCode', ['deviceAuthorizationUrl', 'tokenUrl']],
  ['implicit', ['authorizationUrl']],
  ['password', ['tokenUrl']],
]

/**
 * The flow of an OAuth 2.0 scheme in the form of A2A, which has one per scheme; null if none is complete.
 *
 * Of several flows, as in OpenAPI, the best one remains.
 */
export function oauthFlowsOf(declared: unknown): Block | null {
  if (!isJsonObject(declared)) return null
  for (const [name, required] of FLOWS) {
    const flow = declared[name]
    if (!isJsonObject(flow)) continue
    const isText = (member: string) => typeof flow[member] === 'string' && flow[member] !== ''
    if (!required.every(isText)) continue
    const texts = [...required, 'refreshUrl'].filter(isText).map((member) => [member, flow[member]])
    const isPkce = name === 'authorizationCode' && flow.pkceRequired === true
    const scopes = scopesOf(flow.scopes)
    const isShown = !DEPRECATED.includes(name) || Object.keys(scopes).length > 0
    return {
      [name]: {
        ...Object.fromEntries(texts),
        ...(isShown ? { scopes } : {}),
        ...(isPkce ? { pkceRequired: true } : {}),
      },
    }
  }
  return null
}

/** Scopes with their descriptions. */
function scopesOf(declared: unknown): Block {
  const scopes = isJsonObject(declared) ? Object.entries(declared) : []
  return Object.fromEntries(scopes.filter(([, description]) => typeof description === 'string'))
}
