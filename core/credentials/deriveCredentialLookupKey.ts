import { parseForeignName, writeForeignName } from '../foreign/foreignName.ts'
import { sha256Hex } from '../hash.ts'
import { parseCompactJws } from './parseCompactJws.ts'
import { parseDid } from './parseDid.ts'
import { revealDisclosures } from './revealDisclosures.ts'

/** Kinds of third-party credential that a holder can have stored for an agent. Source: docs/credentials.md. */
export const STORABLE_CREDENTIAL_TYPES = ['did', 'vc', 'sd_jwt', 'x509'] as const

/** Kinds that can be presented: also the token of another registry, which is stored by adopting its agent. */
export const CREDENTIAL_TYPES = [...STORABLE_CREDENTIAL_TYPES, 'erc8004'] as const

export type StorableCredentialType = (typeof STORABLE_CREDENTIAL_TYPES)[number]

export type CredentialType = (typeof CREDENTIAL_TYPES)[number]

/**
 * Derives the key under which a presented credential is stored: 64 hexadecimal digits; null for an invalid text.
 *
 * The key depends only on what is the same in every presentation: the DID, the whole token of a verifiable credential, an
 * SD-JWT without disclosures and key binding, the first certificate of a chain, or the name of a foreign agent. No signature
 * is verified here, because the credential was verified before it was stored, and another spelling or signature has another
 * key. The disclosures of an SD-JWT may differ each time, so they must match its digests.
 */
export function deriveCredentialLookupKey(type: CredentialType, value: string): string | null {
  const name = nameOf(type, value.trim())
  return name === null ? null : sha256Hex(`${type}\n${name}`)
}

function nameOf(type: CredentialType, value: string): string | null {
  switch (type) {
    case 'did':
      return parseDid(value)?.did ?? null
    case 'vc':
      return isToken(value) ? value : null
    case 'sd_jwt':
      return tokenOf(value)
    case 'x509':
      return extractFirstCertificate(value)
    case 'erc8004': {
      const name = parseForeignName(value)
      return name && writeForeignName(name)
    }
  }
}

function isToken(text: string): boolean {
  return /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/.test(text)
}

/** The issuer's token of an SD-JWT; null if a disclosure does not belong to it. */
function tokenOf(value: string): string | null {
  const [token = '', ...disclosures] = value.split('~')
  // The last part is the key binding, or empty.
  disclosures.pop()
  if (!isToken(token) || disclosures.length === 0) return isToken(token) ? token : null
  const payload = parseCompactJws(token)?.payload
  return payload !== undefined && revealDisclosures(payload, disclosures).ok ? token : null
}

/** Returns its DER in base64; input without PEM is already in that form. */
function extractFirstCertificate(value: string): string | null {
  const begin = '-----BEGIN CERTIFICATE-----'
  const at = value.indexOf(begin)
  const end = value.indexOf('-----END CERTIFICATE-----', at)
  if (at > 0 || (at === 0 && end < 0)) return null
  const base64 = (at === 0 ? value.slice(begin.length, end) : value).replace(/\s+/g, '')
  return /^[A-Za-z0-9+/]+={0,2}$/.test(base64) ? base64 : null
}
