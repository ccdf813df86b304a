import { type CheckedMandate, hashMandate } from './hashMandate.ts'
import type { NamedInput, VerificationDeps } from './verificationDeps.ts'

/**
 * Checks the payment mandate that a request presents; null if it is not meant for the agent.
 *
 * Source: docs/mandates.md.
 */
export async function checkPaymentMandate(
  deps: Pick<VerificationDeps, 'verifyMandate' | 'onWrongMandate'>,
  { agent, request, resolved, now }: NamedInput,
): Promise<CheckedMandate | null> {
  const { mandate, callerMetadata: metadata } = request
  if (mandate === undefined) return null
  const { authorities, facts } = resolved.endpoint
  const { keys, payers, declarations } = agent
  const finding = await deps.verifyMandate({
    ...{ mandate, request, metadata, now },
    holder: { keys, accounts: payers, declarations },
    endpoint: { host: facts.host, authorities },
  })
  if (finding.found === 'absent') return null
  if (finding.found === 'wrong') deps.onWrongMandate(agent.svcId, finding.fault)
  return {
    protocol: mandate.protocol,
    hash: hashMandate(mandate, metadata),
    isWrong: finding.found === 'wrong',
    isSigned: finding.found === 'valid' && finding.isSigned,
  }
}
