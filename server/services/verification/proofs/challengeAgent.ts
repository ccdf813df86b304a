import type { VerificationRequest } from '@svc/core/access/verificationRequest.ts'
import { generateUuidV4 } from '@svc/core/ids/uuids.ts'
import { z } from 'zod'
import type { PostJson } from '../../../external/outbound/outboundHttp.ts'
import type { VerifiableAgent } from '../parties/verifiableAgent.ts'
import type { VerifiableEndpoint } from '../parties/verifiableEndpoint.ts'
import type { RuntimeChallenge } from '../verificationDeps.ts'

/** Lifetime of a challenge. Source: `Spec: Limits`. */
const CHALLENGE_MS = 30_000

export type ChallengeAgentDeps = {
  postJson: PostJson
  /** Records that the agent passed, so that its next verification needs no challenge. */
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
 * Asks the agent whether it made this request; null if no challenge is needed.
 *
 * A challenge is sent if the request asks for one, or if the agent has a challenge URL and has never passed. An agent
 * without such a URL is not challenged: having one is a trust signal, not a requirement. A failed challenge denies this
 * request only; the agent stays valid.
 *
 * Source: `Spec: Runtime challenge`.
 */
export async function challengeAgent(
  deps: ChallengeAgentDeps,
  agent: VerifiableAgent,
  endpoint: VerifiableEndpoint,
  request: VerificationRequest,
): Promise<RuntimeChallenge | null> {
  if (!needsChallenge(agent, request)) return null
  const issuedAt = deps.clock()
  const challenge = {
    challengeId: generateUuidV4(deps.randomBytes(16)),
    type: 'pending_verification',
    // The agent knows an unclaimed endpoint by its URL only.
    counterpartyId: endpoint.svceId ?? endpoint.url ?? '',
    question: 'Did you start a request to this counterparty?',
    issuedAt: new Date(issuedAt).toISOString(),
    expiresAt: new Date(issuedAt + CHALLENGE_MS).toISOString(),
  }
  const passed = await isAcknowledged(deps, agent, challenge, issuedAt)
  if (passed && !agent.hasPassedChallenge) await deps.onPassed(agent.svcId, issuedAt)
  const { challengeId, expiresAt } = challenge
  return { challengeId, passed, issuedAt: challenge.issuedAt, expiresAt }
}

/** Whether the request calls for a challenge, whatever the endpoint says. */
export function needsChallenge(
  { challengeUrl, hasPassedChallenge }: VerifiableAgent,
  { enableRuntimeChallenge, dryRun }: VerificationRequest,
): boolean {
  return challengeUrl !== null && (enableRuntimeChallenge ?? !hasPassedChallenge) && !dryRun
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
