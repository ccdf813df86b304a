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
 * A platform that is recognised is named in the answer and in the event, by a provisional agent. The record stays one
 * without agent: a claim must not write into the history of an identity.
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
  // The keys of a signature may have been fetched from afar, and the policy have been closed meanwhile.
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
