import { provesSender } from '@svc/core/access/decideVerified.ts'
import type { Decision } from '@svc/core/access/decision.ts'
import type { VerifiedInput } from '@svc/core/access/facts.ts'
import type { EarlierUse, ProofUse } from '../../store/recorder/recorder.ts'
import { buildTokenUses } from './proofs/heldToken.ts'
import { buildPaymentUses } from './proofs/settleMandate.ts'
import { buildProofUses } from './proofs/settleProof.ts'
import type { RegisteredInput } from './verificationDeps.ts'

type Decided = {
  verified: VerifiedInput
  decision: Pick<Decision, 'recommendation'>
  /** The approval that the request waits for; null if it is not held. */
  held: Parameters<typeof buildTokenUses>[2]
}

/** What the request uses up: its proofs whatever the decision, and its payment only if it is not denied. */
export function listUses(
  { agent, checked, mandate }: Pick<RegisteredInput, 'agent' | 'checked' | 'mandate'>,
  earlierUses: ReadonlyMap<string, EarlierUse>,
  { verified, decision, held }: Decided,
): (ProofUse & EarlierUse)[] {
  const isWrong = verified.proof?.isWrong === true
  const paying = { mandate, agentId: agent.svcId, earlierUses, isProven: provesSender(verified) }
  return [
    ...buildProofUses({ checked, earlierUses, isWrong }, held),
    ...buildTokenUses(checked, earlierUses, held),
    ...(decision.recommendation === 'deny' ? [] : buildPaymentUses(paying)),
  ]
}
