import type { MandatePayment } from '@svc/core/commerce/mandates/mandateFinding.ts'
import type { EarlierUse, ProofUse } from '../../../store/recorder/recorder.ts'
import type { CheckedMandate } from './hashMandate.ts'
import { proofIdOf } from './proofIdOf.ts'

/** A checked mandate, with the names under which it is stored for which agent its payment counts. */
export type NamedMandate = {
  stated: CheckedMandate
  /** Null for a wrong mandate, which pays for nothing. */
  payment: {
    /** For agents that are proven to hold the mandate. */
    proven: string
    /** For all others. Whoever only declares a wallet cannot use up the payments of its owner with it. */
    declared: string
    /** Epoch milliseconds. */
    expiresAt: number
  } | null
}

const DAY_MS = 24 * 60 * 60 * 1000
/** How long a payment is remembered that ends later, or never. No facilitator holds one back for so long. */
const MEMORY_MS_MAX = 365 * DAY_MS
/** What is past its end is wrong, but clocks of processes differ. */
const SKEW_MS = 60_000

/** Names a payment, the same for all agents. @param now Epoch milliseconds. */
export function namePayment(
  { id, expiresAt: seconds = Number.POSITIVE_INFINITY }: MandatePayment,
  now: number,
): NonNullable<NamedMandate['payment']> {
  const expiresAt = Math.min(seconds * 1000 + SKEW_MS, now + MEMORY_MS_MAX)
  // Without its end, which a payer can state otherwise for the same payment.
  const named = { expiresAt: 0 }
  return {
    proven: proofIdOf({ ...named, key: `payment ${id}` }),
    declared: proofIdOf({ ...named, key: `declared payment ${id}` }),
    expiresAt: Math.floor(expiresAt),
  }
}

type Settling = {
  /** Null if the request presents none. */
  mandate: NamedMandate | null
  /** `SVC-` identifier of the agent that presents it. */
  agentId: string
  earlierUses: ReadonlyMap<string, EarlierUse>
}

/** Which names of a payment have to be looked up before the decision, which stores none of them a second time. */
export function listPaymentIds(mandate: NamedMandate | null): string[] {
  return mandate?.payment == null ? [] : [mandate.payment.proven, mandate.payment.declared]
}

/** For an agent that holds the wallet, only what is proven counts: whoever copied the payment may only declare it. */
function listDecisiveIds(mandate: NamedMandate): string[] {
  const { payment, stated } = mandate
  return payment !== null && stated.isHolderProven ? [payment.proven] : listPaymentIds(mandate)
}

/**
 * Settles whether a mandate covers its request, now that it is known for which agent its payment counts: that of another
 * agent is wrong. An agent may present its own again. Undefined if the request presents none.
 *
 * Where the payment counts for an agent that only declares the wallet, or is only named by the request, it still counts for
 * the one that proves itself and the wallet: otherwise, a copied payment would keep the genuine one away.
 *
 * Source: docs/decisions/0156.
 */
export function settleMandate({ mandate, agentId, earlierUses }: Settling): CheckedMandate | undefined {
  if (mandate === null) return undefined
  const isElsewhere = listDecisiveIds(mandate).some((id) => {
    const earlier = earlierUses.get(id)
    return earlier !== undefined && earlier.reusableFor !== agentId
  })
  return isElsewhere
    ? { ...mandate.stated, isWrong: true, isSigned: false, isHolderProven: false }
    : mandate.stated
}

/**
 * The use to store of a payment that counts for the agent from now on: at most one.
 *
 * @param settling.isProven Whether the request proves who sends it. Otherwise, somebody who copied the payment may name the
 *   holder, or another agent with the same wallet, and must not keep the genuine request away.
 */
export function buildPaymentUses({
  mandate,
  agentId,
  earlierUses,
  isProven,
}: Settling & { isProven: boolean }): (ProofUse & EarlierUse)[] {
  if (mandate?.payment == null) return []
  const { proven, declared, expiresAt } = mandate.payment
  const proof = mandate.stated.isHolderProven && isProven ? proven : declared
  return earlierUses.has(proof) ? [] : [{ proof, expiresAt, reusableFor: agentId }]
}
