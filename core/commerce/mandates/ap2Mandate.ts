import { z } from 'zod'
import { encodeBase64Url } from '../../bytes.ts'
import { parseCompactJws } from '../../credentials/parseCompactJws.ts'
import { sha256 } from '../../hash.ts'
import { findBrokenConstraint } from './ap2Constraints.ts'
import { amountOf, amountSchema, merchantSchema, payeesOf, readCheckout } from './checkout.ts'
import { findContradiction, type MandateTerms } from './findContradiction.ts'
import {
  type MandateFinding,
  type MandateInput,
  type MandateVerifiers,
  wrongMandate,
} from './mandateFinding.ts'
import { parseDelegation } from './parseDelegation.ts'
import { identifyPayment, verifyDelegation } from './verifyDelegation.ts'

const paymentSchema = z.object({ payee: merchantSchema, payment_amount: amountSchema })
const checkoutSchema = z.object({ checkout_jwt: z.string(), checkout_hash: z.string() })

/** The terms of a closed mandate, and its merchant as it is written there. */
export type ClosedMandate = MandateTerms & { merchant: object | undefined }

/**
 * Checks a mandate of the Agent Payments Protocol: a closed payment or checkout mandate, alone or at the end of a chain that
 * begins with the open mandate of the user.
 *
 * The signatures in the chain are verified, but not that of the merchant in a checkout: the merchant is who asks. Budgets,
 * recurrence, instruments and line items need what only the payment network and the merchant know. Source: AP2 0.2.
 */
export async function checkAp2Mandate(
  input: MandateInput,
  verifiers: MandateVerifiers,
): Promise<MandateFinding> {
  const hops = parseDelegation(input.mandate.value ?? '')
  if (hops === null) return wrongMandate('malformed')
  const issuerKeys = input.holder.declarations.ap2?.issuerKeys
  const fault = await verifyDelegation(hops, issuerKeys, input, verifiers)
  if (fault !== null) return wrongMandate(fault)
  const closed = readClosed(hops.at(-1)?.claims ?? {})
  if (typeof closed === 'string') return wrongMandate(closed)
  const open = hops.slice(0, -1).map(({ claims }) => claims)
  const broken = findBrokenConstraint(open, closed, input.now) ?? findContradiction(closed, input)
  if (broken !== null) return wrongMandate(broken)
  return { found: 'valid', isSigned: true, isHolderProven: true, payment: identifyPayment(hops) }
}

function readClosed(claims: Record<string, unknown>): ClosedMandate | 'malformed' | 'unsupported' {
  switch (claims.vct) {
    case 'mandate.payment.1':
      return readPayment(claims) ?? 'malformed'
    case 'mandate.checkout.1':
      return readEmbeddedCheckout(claims) ?? 'malformed'
    default:
      return 'unsupported'
  }
}

function readPayment(claims: object): ClosedMandate | null {
  const parsed = paymentSchema.safeParse(claims)
  if (!parsed.success) return null
  const { payee, payment_amount: amount } = parsed.data
  return { ...amountOf(amount), payees: payeesOf(payee), website: payee.website, merchant: payee }
}

/**
 * Reads the checkout that a checkout mandate contains and names by its hash; null for what is none.
 *
 * Source: AP2 0.2 `checkout_mandate.json`.
 */
export function readEmbeddedCheckout(claims: object): ClosedMandate | null {
  const parsed = checkoutSchema.safeParse(claims)
  if (!parsed.success) return null
  const { checkout_jwt: token, checkout_hash: hash } = parsed.data
  if (encodeBase64Url(sha256(token)) !== hash) return null
  return readCheckout(parseCompactJws(token)?.payload)
}
