import type { VerifiedInput } from '../facts.ts'
import { type Findings, findingOf, NOTHING } from '../findings.ts'

const ENDPOINT = findingOf('endpoint.certifications')

/** The certifications the endpoint asks for, and those the request claims, against those the agent's record holds. */
export function checkCertifications({ agent, endpoint, request }: VerifiedInput): Findings {
  const held = agent.certifications
  if (held === undefined) return NOTHING
  const isMissing = (certification: string) => !held.includes(certification)
  const asked = endpoint.policy.scope.requiredCertifications
  if (asked.length > 0 && asked.some(isMissing)) return ENDPOINT
  return request.certifications?.some(isMissing) === true ? ENDPOINT : NOTHING
}
