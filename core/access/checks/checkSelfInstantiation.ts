import type { VerifiedInput } from '../facts.ts'
import { type Findings, findingOf, NOTHING } from '../findings.ts'

const ASK = findingOf('pdlss.selfInstantiation.approval_required')
const OWN = findingOf('pdlss.selfInstantiation')
const ENDPOINT = findingOf('endpoint.selfInstantiation')

/** A request to create a sub-agent against both boundaries; `requireApproval` on either side asks the owner. Spec: PDLSS object. */
export function checkSelfInstantiation({ agent, endpoint, request, counters }: VerifiedInput): Findings {
  const { subAgent } = request
  if (subAgent === undefined) return NOTHING
  const own = agent.policy.selfInstantiation
  const theirs = endpoint.policy.selfInstantiation
  const isRefusedThere = theirs.refuses(subAgent, counters.endpointSubAgents)
  const asks =
    own.requiresApproval ||
    theirs.requiresApproval ||
    agent.approvalRules.asksOnSelfInstantiation(subAgent.purpose)
  const found = own.refuses(subAgent, counters.agentSubAgents) ? OWN : asks ? ASK : NOTHING
  return found | (isRefusedThere ? ENDPOINT : NOTHING)
}
