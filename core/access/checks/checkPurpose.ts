import type { VerifiedInput } from '../facts.ts'
import { type Findings, findingOf, NOTHING } from '../findings.ts'

const ASK = findingOf('pdlss.purpose.approval_required')
const CATEGORY = findingOf('pdlss.purpose')
const ACTION = findingOf('pdlss.action')
const ENDPOINT = findingOf('endpoint.purpose')

/** Purpose and action against both boundaries; within them, the owner's rules may still ask. Spec: PDLSS object, purpose. */
export function checkPurpose({ agent, endpoint, request }: VerifiedInput): Findings {
  const own =
    (agent.policy.purpose.refusesCategory(request) ? CATEGORY : NOTHING) |
    (agent.policy.purpose.refusesAction(request) ? ACTION : NOTHING)
  const theirs = endpoint.policy.purpose
  const isRefusedThere = theirs.refusesCategory(request) || theirs.refusesAction(request)
  const asks = own === NOTHING && agent.approvalRules.asksOnPurpose(request)
  return own | (isRefusedThere ? ENDPOINT : NOTHING) | (asks ? ASK : NOTHING)
}
