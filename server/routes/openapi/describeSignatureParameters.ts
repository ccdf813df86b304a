import { ACCESS, type Access } from '../../middleware/authorise.ts'

const HEADERS = [
  ['X-Svc-Timestamp', '^\\d{1,12}$', 'Unix seconds, at most five minutes off; covered by the signature'],
  ['X-Svc-Nonce', '^[\\x21-\\x7e]{1,128}$', 'Random, usable once for each key; covered by the signature'],
] as const

const ADDRESS = {
  name: 'X-Svc-Address',
  in: 'header',
  required: false,
  schema: { type: 'string', pattern: '^0x[0-9a-fA-F]{40}$' },
  description:
    'Address of the expected signer; a signature by another key is rejected. Required with `X-Svc-Service` and with an API key',
}

const SERVICE = {
  name: 'X-Svc-Service',
  in: 'header',
  required: false,
  schema: { type: 'string', format: 'uri' },
  description:
    'Origin of this service, if the signature names it (SVC-SIGNED-REQUEST-V2); without it, the signature is over the first form, which is deprecated',
}

/**
 * The headers of a signed request other than the signature itself, which is among the security schemes.
 *
 * They are required if a signature is the only accepted credential.
 *
 * Source: docs/agents.md; OpenAPI 3.1 "Parameter Object".
 */
export function describeSignatureParameters(access: Access): object[] {
  const { signature, apiKey, session } = ACCESS[access]
  if (access === 'anyone' || signature !== 'allow') return []
  const required = apiKey !== 'allow' && session === 'UNAUTHENTICATED'
  const signed = HEADERS.map(([name, pattern, description]) => ({
    name,
    in: 'header',
    required,
    schema: { type: 'string', pattern },
    description,
  }))
  return [...signed, ADDRESS, SERVICE]
}
