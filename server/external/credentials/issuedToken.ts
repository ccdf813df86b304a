import { type CompactJws, parseCompactJws } from '@svc/core/credentials/parseCompactJws.ts'
import { parseDid } from '@svc/core/credentials/parseDid.ts'
import { CredentialFault } from './credentialFault.ts'
import type { DidKeys } from './didKeys.ts'
import type { Validity } from './validity.ts'
import { validityOf } from './validityOf.ts'
import { verifyJws } from './verifyJws.ts'

export type IssuedToken = Validity & { jws: CompactJws; issuer: string }

/**
 * Verifies a token by the DID of its issuer, at a time.
 *
 * Who the issuer is makes no difference here: a credential that is stored names an agent, and nothing is believed of what it
 * says about it.
 *
 * @throws CredentialFault malformed, unsupported, unresolvable, bad_signature, not_yet_valid, expired.
 * Source: RFC 7515 §5.2; VC Data Model 1.1 §6.3.1; RFC 9901 §7.1.
 */
export async function issuedToken(didKeys: DidKeys, text: string, now: number): Promise<IssuedToken> {
  const jws = parseCompactJws(text)
  if (jws === null) throw new CredentialFault('malformed')
  const issuer = issuerOf(jws.payload)
  const did = parseDid(issuer)
  if (did === undefined) throw new CredentialFault('unsupported')
  const validity = validityOf(jws.payload, now)
  const keys = await didKeys(did, 'assertionMethod', jws.header.kid)
  if (typeof keys === 'string') throw new CredentialFault(keys)
  const verdicts = await Promise.all(keys.map((key) => verifyJws(jws, key)))
  if (!verdicts.includes(true)) throw new CredentialFault('bad_signature')
  return { jws, issuer: did.did, ...validity }
}

/** The claim `iss`, and the issuer that a verifiable credential names; they may not differ. */
function issuerOf(payload: Record<string, unknown>): string {
  const { issuer } = (payload.vc ?? payload) as { issuer?: string | { id?: string } }
  const named = typeof issuer === 'object' ? issuer?.id : issuer
  const claimed = payload.iss ?? named
  if (typeof claimed !== 'string' || (named !== undefined && named !== claimed)) {
    throw new CredentialFault('malformed')
  }
  return claimed
}
