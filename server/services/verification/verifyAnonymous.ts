import { decideAnonymous } from '@svc/core/access/decideAnonymous.ts'
import type { AnonymousAnswer } from '@svc/core/contract/verification.ts'
import { generateUuidV4 } from '@svc/core/ids/uuids.ts'
import { buildVerificationRecord } from './buildVerificationRecord.ts'
import { recordOnly } from './recordOnly.ts'
import { reloadParties } from './reloadParties.ts'
import type { ResolvedInput, VerificationDeps } from './verificationDeps.ts'

/**
 * The anonymous branch: the endpoint's policy for callers without an agent identifier decides.
 *
 * If the platform is recognised, a provisional agent names it in the answer and the event. The record itself has no agent,
 * because a mere claim must not enter the history of an identity.
 *
 * Source: `Spec: Unverified-agent policy effects`, `Spec: Verification response`, anonymous branch.
 */
export async function verifyAnonymous(
  deps: Pick<VerificationDeps, 'recorder' | 'identifyPlatform' | 'resolve' | 'clock' | 'settings'>,
  asked: ResolvedInput,
): Promise<AnonymousAnswer> {
  const { appUrl, publicUrl, randomBytes } = deps.settings
  const sighting = deps.identifyPlatform({
    request: asked.request,
    endpoint: asked.resolved.endpoint,
    now: asked.now,
  })
  const { platform, token, signature } = await sighting
  // The policy may have been closed while the keys of a signature were fetched.
  const input = sighting instanceof Promise ? await reloadParties(deps, asked) : asked
  const { request, resolved, now } = input
  const decision = decideAnonymous({
    endpoint: resolved.endpoint.facts,
    platform,
    registrationUrl: `${appUrl}/agents/register`,
    docsUrl: `${publicUrl}/docs`,
  })
  const correlationId = generateUuidV4(randomBytes(16))
  const record = buildVerificationRecord(deps.settings, {
    eventType: decision.eventType,
    request,
    endpoint: resolved.endpoint,
    agent: null,
    decision,
    now,
    correlationId,
    eventData: {
      decision: decision.recommendation,
      unverifiedAgentPolicy: decision.advisory.policy,
      platform: platform && { ...platform, token },
      signature,
    },
    platform,
  })
  const answer: AnonymousAnswer = {
    success: true,
    access: decision.access,
    recommendation: decision.recommendation,
    recommendationReasons: decision.recommendationReasons,
    correlationId,
    advisory: decision.advisory,
    ...(decision.agent ? { agent: decision.agent } : {}),
    ...(decision.warningHeader ? { warningHeader: decision.warningHeader } : {}),
    ...(request.dryRun ? {} : { auditRecordId: record.recordId }),
  }
  if (!request.dryRun) await recordOnly(deps, { record, resolved, now, answer })
  return answer
}
