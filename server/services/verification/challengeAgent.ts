import type { VerificationRequest } from '@svc/core/access/verificationRequest.ts'
import { generateUuidV4 } from '@svc/core/ids/uuids.ts'
import { z } from 'zod'
import type { PostJson } from '../../external/outboundHttp.ts'
import type { VerifiableAgent } from './verifiableAgent.ts'
import type { VerifiableEndpoint } from './verifiableEndpoint.ts'
import type { RuntimeChallenge } from './verificationDeps.ts'

/** Life of a challenge. Source: `Spec: Limits`. */
const CHALLENGE_MS = 30_000

export type ChallengeAgentDeps = {
  postJson: PostJson
  /** Remembers that the agent has passed, so that its next verification does not ask again. */
  onPassed: (svcId: string, now: number) => Promise<void>
  onFailed: (svcId: string, reason: unknown) => void
  clock: () => number
  randomBytes: (length: number) => Uint8Array
}

const answerSchema = z.object({
  challengeId: z.string(),
  acknowledged: z.literal(true),
  pendingCounterparties: z.array(z.string()).max(10_000),
  respondedAt: z.iso.datetime({ offset: true }),
})

/**
 * Asks the agent itself whether it made this request; null when nothing is to be asked.
 *
 * It is asked when the request wants it, or when it has a challenge URL and has never passed. An agent without such a
 * URL is not asked: that is a trust signal, not a requirement. A failure denies this call and leaves the agent valid.
 * Source: `Spec: Runtime challenge`; verification.md "Runtime challenge".
 */
export async function challengeAgent(
  deps: ChallengeAgentDeps,
  agent: VerifiableAgent,
  endpoint: VerifiableEndpoint,
  request: VerificationRequest,
): Promise<RuntimeChallenge | null> {
  const isWanted = request.enableRuntimeChallenge ?? !agent.hasPassedChallenge
  if (agent.challengeUrl === null || !isWanted || request.dryRun) return null
  const issuedAt = deps.clock()
  const challenge = {
    challengeId: generateUuidV4(deps.randomBytes(16)),
    type: 'pending_verification',
    counterpartyId: endpoint.svceId ?? endpoint.id ?? endpoint.url ?? '',
    question: 'Did you start a request to this counterparty?',
    issuedAt: new Date(issuedAt).toISOString(),
    expiresAt: new Date(issuedAt + CHALLENGE_MS).toISOString(),
  }
  const passed = await isAcknowledged(deps, agent, challenge, issuedAt)
  if (passed && !agent.hasPassedChallenge) await deps.onPassed(agent.svcId, issuedAt)
  const { challengeId, expiresAt } = challenge
  return { challengeId, passed, issuedAt: challenge.issuedAt, expiresAt }
}

async function isAcknowledged(
  deps: ChallengeAgentDeps,
  agent: VerifiableAgent,
  challenge: { challengeId: string; counterpartyId: string },
  issuedAt: number,
): Promise<boolean> {
  try {
    const { status, body } = await deps.postJson(agent.challengeUrl ?? '', challenge)
    const answer = answerSchema.parse(JSON.parse(body))
    const respondedAt = Date.parse(answer.respondedAt)
    return (
      status === 200 &&
      answer.challengeId === challenge.challengeId &&
      answer.pendingCounterparties.includes(challenge.counterpartyId) &&
      Math.abs(respondedAt - issuedAt) <= CHALLENGE_MS
    )
  } catch (reason) {
    deps.onFailed(agent.svcId, reason)
    return false
  }
}
