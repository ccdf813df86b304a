import { createHash, type JsonWebKey } from 'node:crypto'
import { signText } from './signText.ts'

type Signer = { privateJwk: JsonWebKey }

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const digestOf = (text: string) => createHash('sha256').update(text).digest('base64url')

/** Signs a compact JWS; the key decides on the algorithm. */
export function signJws({ privateJwk }: Signer, header: object, payload: object): string {
  const isEd25519 = privateJwk.crv === 'Ed25519'
  const text = `${encode({ alg: isEd25519 ? 'EdDSA' : 'ES256', ...header })}.${encode(payload)}`
  return `${text}.${signText({ privateJwk }, text).toString('base64url')}`
}

/** A token of a chain: its signer, header and payload, and the mandate that it discloses. */
type Hop = { by: Signer; header?: object; payload?: object; mandate: object }

/**
 * Signs a chain of mandates as the Agent Payments Protocol writes it: an open mandate, and what was delegated from it.
 *
 * Each mandate is the only disclosure of its token, which names the one before by `sd_hash`. Source: AP2 0.2, Payment
 * Mandate, Examples.
 */
export function signDelegation(hops: readonly Hop[]): string {
  const tokens: string[] = []
  for (const [nth, { by, header, payload, mandate }] of hops.entries()) {
    const disclosure = encode([`salt-${nth}`, mandate])
    const typ = nth === 0 ? 'example+sd-jwt' : nth === hops.length - 1 ? 'kb+sd-jwt' : 'kb+sd-jwt+kb'
    const before = nth === 0 ? {} : { sd_hash: digestOf(tokens[nth - 1] ?? ''), aud: 'merchant', nonce: 'n' }
    const delegated = { delegate_payload: [{ '...': digestOf(disclosure) }], _sd_alg: 'sha-256' }
    const token = signJws(by, { typ, ...header }, { ...delegated, ...before, ...payload })
    tokens.push(`${token}~${disclosure}~`)
  }
  return tokens.join('~')
}
