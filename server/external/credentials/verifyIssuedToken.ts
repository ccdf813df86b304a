import type { CompactJws } from '@svc/core/credentials/parseCompactJws.ts'
import { parseDid } from '@svc/core/credentials/parseDid.ts'
import { CredentialFault } from './credentialFault.ts'
import type { DidKeys } from './didKeys.ts'
import { readValidity, type Validity } from './readValidity.ts'
import { verifyJws } from './verifyJws.ts'

export type IssuedToken = Validity & { issuer: string }

/**
 * Verifies a token with the keys of its issuer's DID, as of `now`.
 *
 * Any issuer is accepted: a stored credential only identifies an agent, and its other statements are not relied on.
 *
 * @param payload The claims to rely on: those of the token, or for an SD-JWT, those with its disclosures.
 * @throws CredentialFault malformed, unsupported, unresolvable, bad_signature, not_yet_valid, expired.
 * Source: RFC 7515 §5.2; VC Data Model 1.1 §6.3.1; RFC 9901 §7.1.
 */
export async function verifyIssuedToken(
  didKeys: DidKeys,
  jws: CompactJws,
  payload: Record<string, unknown>,
  now: number,
): Promise<IssuedToken> {
  const did = parseDid(issuerOf(payload))
  if (did === undefined) throw new CredentialFault('unsupported')
  const validity = readValidity(payload, now)
  const keys = await didKeys(did, 'assertionMethod', jws.header.kid)
  if (typeof keys === 'string') throw new CredentialFault(keys)
  const verdicts = await Promise.all(keys.map((key) => verifyJws(jws, key)))
  if (!verdicts.includes(true)) throw new CredentialFault('bad_signature')
  return { issuer: did.did, ...validity }
}

/** Returns the claim `iss` or the issuer of the verifiable credential; they must not differ. */
function issuerOf(payload: Record<string, unknown>): string {
  const { issuer } = (payload.vc ?? payload) as { issuer?: string | { id?: string } }
  const named = typeof issuer === 'object' ? issuer?.id : issuer
  const claimed = payload.iss ?? named
  if (typeof claimed !== 'string' || (named !== undefined && named !== claimed)) {
    throw new CredentialFault('malformed')
  }
  return claimed
}
