import type { VerifiedInput } from '../facts.ts'
import { type Findings, findingOf, NOTHING } from '../findings.ts'

const AGENT = findingOf('agent.status')
const ENDPOINT = findingOf('counterparty.status')
const CHALLENGE = findingOf('runtime.challenge')

/** Whether both parties are in a state to deal at all, and whether the agent stands by its request. Spec: States. */
export function checkStanding({ agent, endpoint, challenge }: VerifiedInput): Findings {
  return (
    (agent.status === 'active' ? NOTHING : AGENT) |
    (endpoint.status === 'active' ? NOTHING : ENDPOINT) |
    (challenge === 'failed' ? CHALLENGE : NOTHING)
  )
}
