import { isJsonObject, parseJsonBase64Url } from '../../json.ts'
import { type ClosedMandate, readEmbeddedCheckout } from './ap2Mandate.ts'
import { readCheckout } from './checkout.ts'
import { findContradiction } from './findContradiction.ts'
import {
  type MandateFinding,
  type MandateInput,
  type MandateVerifiers,
  wrongMandate,
} from './mandateFinding.ts'
import { parseDelegation } from './parseDelegation.ts'
import { identifyPayment, verifyDelegation } from './verifyDelegation.ts'

/** A JWS whose content is elsewhere. Source: RFC 7515 Appendix F. */
const DETACHED = /^([\w-]+)\.\.[\w-]+$/

/**
 * Checks a checkout mandate of the Universal Commerce Protocol (`ap2.checkout_mandate`): that the platform of the agent, or
 * whoever else is declared, signed this checkout for the agent, with its total, its currency and until its expiry.
 *
 * A checkout names its merchant only by the key that signed it. That signature is the counterparty's own, which it verifies
 * itself; here the name of the key is compared. A token of a payment handler is opaque, and no mandate. Source: UCP AP2
 * Mandates Extension.
 */
export async function checkUcpMandate(
  input: MandateInput,
  verifiers: MandateVerifiers,
): Promise<MandateFinding> {
  const hops = parseDelegation(input.mandate.value ?? '')
  if (hops === null) return wrongMandate('malformed')
  const { ucp, ap2 } = input.holder.declarations
  const issuerKeys = [ucp?.issuerKeys, ap2?.issuerKeys].flatMap((keys) => (Array.isArray(keys) ? keys : []))
  const fault = await verifyDelegation(hops, issuerKeys, input, verifiers)
  if (fault !== null) return wrongMandate(fault)
  const terms = readTerms(hops.at(-1)?.claims ?? {})
  if (terms === null) return wrongMandate('malformed')
  const contradiction = findContradiction(terms, input)
  if (contradiction !== null) return wrongMandate(contradiction)
  return { found: 'valid', isSigned: true, isHolderProven: true, payment: identifyPayment(hops) }
}

/** The checkout is contained as it was answered, or as the token of AP2. */
function readTerms(claims: Record<string, unknown>): ClosedMandate | null {
  if (claims.checkout_jwt !== undefined) {
    const terms = readEmbeddedCheckout(claims)
    return terms && named(terms, readKeyName(String(claims.checkout_jwt).split('.', 1)[0] ?? ''))
  }
  const { checkout } = claims
  if (!isJsonObject(checkout) || !isJsonObject(checkout.ap2)) return null
  const { merchant_authorization: authorization } = checkout.ap2
  if (typeof authorization !== 'string') return null
  const [, header] = DETACHED.exec(authorization) ?? []
  const terms = readCheckout(checkout)
  return terms && header !== undefined ? named(terms, readKeyName(header)) : null
}

function named(terms: ClosedMandate, keyName: string | null): ClosedMandate | null {
  return keyName === null ? null : { ...terms, payees: [...terms.payees, keyName] }
}

function readKeyName(header: string): string | null {
  const parsed = parseJsonBase64Url(header)
  return isJsonObject(parsed) && typeof parsed.kid === 'string' ? parsed.kid : null
}
