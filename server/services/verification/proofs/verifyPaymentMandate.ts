import type { NamedInput, VerificationDeps } from '../verificationDeps.ts'
import { hashMandate } from './hashMandate.ts'
import { type NamedMandate, namePayment } from './settleMandate.ts'
import type { NamedProof } from './settleProof.ts'

/**
 * Verifies the payment mandate that a request presents; null if it is not meant for the agent.
 *
 * A key holds mandates for the agent only if it is proven to be the agent’s: when it was added, or by its signature on this
 * request. Anyone can add the public key of somebody else to an agent, or declare their wallet, and a mandate can be copied.
 *
 * Source: docs/mandates.md, docs/decisions/0143, docs/decisions/0156.
 */
export async function verifyPaymentMandate(
  deps: Pick<VerificationDeps, 'verifyMandate' | 'onWrongMandate'>,
  { agent, request, resolved, checked, now }: NamedInput & { checked: NamedProof | null },
): Promise<NamedMandate | null> {
  const { mandate, callerMetadata: metadata } = request
  if (mandate === undefined) return null
  const { authorities, facts } = resolved.endpoint
  const { payers, provenAccounts, declarations } = agent
  const signers = checked?.fault === null ? checked.signers : []
  const keys = agent.keys.filter(({ kid, isProven }) => isProven || signers.includes(kid))
  const finding = await deps.verifyMandate({
    ...{ mandate, request, metadata, now },
    holder: { keys, accounts: payers, provenAccounts, declarations },
    endpoint: { host: facts.host, authorities },
  })
  if (finding.found === 'absent') return null
  if (finding.found === 'wrong') deps.onWrongMandate(agent.svcId, finding.fault)
  const isValid = finding.found === 'valid'
  return {
    stated: {
      protocol: mandate.protocol,
      hash: hashMandate(mandate, metadata),
      isWrong: !isValid,
      isSigned: isValid && finding.isSigned,
      isHolderProven: isValid && finding.isHolderProven,
    },
    payment: isValid ? namePayment(finding.payment, now) : null,
  }
}
