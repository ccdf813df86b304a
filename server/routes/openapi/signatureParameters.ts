import { ACCESS, type Access } from '../../middleware/authorise.ts'

const HEADERS = [
  ['X-Svc-Timestamp', '^\\d{1,12}$', 'Unix seconds, at most five minutes off; part of what is signed'],
  ['X-Svc-Nonce', '^[\\x21-\\x7e]{1,128}$', 'Drawn at random, good once for a key; part of what is signed'],
] as const

const ADDRESS = {
  name: 'X-Svc-Address',
  in: 'header',
  required: false,
  schema: { type: 'string', pattern: '^0x[0-9a-fA-F]{40}$' },
  description: 'Whose signature it is; another one is refused. Needed beside an API key',
}

/**
 * The headers of a signed request beside the signature itself, which is a credential and stands among those.
 *
 * They are required where a signature is the only way in.
 *
 * Source: api.md "Signed request"; OpenAPI 3.1 "Parameter Object".
 */
export function signatureParameters(access: Access): object[] {
  const { signature, apiKey } = ACCESS[access]
  if (access === 'anyone' || signature !== 'allow') return []
  const required = apiKey !== 'allow'
  const signed = HEADERS.map(([name, pattern, description]) => ({
    name,
    in: 'header',
    required,
    schema: { type: 'string', pattern },
    description,
  }))
  return [...signed, ADDRESS]
}
