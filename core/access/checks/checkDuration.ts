import type { VerifiedInput } from '../facts.ts'
import { type Findings, findingOf, NOTHING } from '../findings.ts'

const ASK = findingOf('pdlss.duration.approval_required')
const OWN = findingOf('pdlss.duration')
const ENDPOINT = findingOf('endpoint.duration')

/**
 * The moment against both weekly windows, the length asked for against both longest sessions.
 *
 * The owner can be asked about the moment only ("outside allowed days or hours"). Spec: PDLSS object, duration.
 */
export function checkDuration({ agent, endpoint, request, now }: VerifiedInput): Findings {
  const own = agent.policy.duration
  const theirs = endpoint.policy.duration
  const seconds = request.sessionDuration ?? 0
  const outside = own.refusesMoment(now) ? (agent.approvalRules.asksOnDuration ? ASK : OWN) : NOTHING
  return (
    outside |
    (seconds > own.sessionSecondsMax ? OWN : NOTHING) |
    (theirs.refusesMoment(now) || seconds > theirs.sessionSecondsMax ? ENDPOINT : NOTHING)
  )
}
