import { type AnonymousDecision, decideAnonymous } from '@svc/core/access/decideAnonymous.ts'
import { warnOfMisspelt } from '@svc/core/access/findMisspeltMembers.ts'
import type { VerificationRequest } from '@svc/core/access/verificationRequest.ts'
import type { AnonymousAnswer } from '@svc/core/contract/verification.ts'
import { generateUuidV4 } from '@svc/core/ids/uuids.ts'
import {
  ANONYMOUS,
  ASKING_ANONYMOUSLY,
  buildCountedGrant,
  buildCounterQuery,
  countersOf,
} from './buildCounterQuery.ts'
import { buildVerificationRecord } from './buildVerificationRecord.ts'
import { reloadParties } from './parties/reloadParties.ts'
import { buildDiscoveryBlockedRecords, commitmentOf } from './recordOnly.ts'
import type { ResolvedInput, VerificationDeps } from './verificationDeps.ts'

/**
 * The anonymous branch: the endpoint's policy for callers without an agent identifier and its boundary decide, inside the
 * recorder's commit, because only there are caps exact.
 *
 * If the platform is recognised, a provisional agent names it in the answer and the event. The record itself has no agent,
 * because a mere claim must not enter the history of an identity.
 *
 * Source: `Spec: Unverified-agent policy effects`, `Spec: Verification response`, anonymous branch.
 */
export async function verifyAnonymous(
  deps: Pick<
    VerificationDeps,
    'recorder' | 'identifyPlatform' | 'resolve' | 'clock' | 'settings' | 'linkFailures'
  >,
  given: ResolvedInput,
): Promise<AnonymousAnswer> {
  const { appUrl, publicUrl, randomBytes } = deps.settings
  const sighting = deps.identifyPlatform({
    request: given.request,
    endpoint: given.resolved.endpoint,
    now: given.now,
  })
  const { platform, token, signature } = await sighting
  // The policy may have been closed while the keys of a signature were fetched.
  const input = sighting instanceof Promise ? await reloadParties(deps, given) : given
  const { request, resolved, now } = input
  const { endpoint } = resolved
  const counters = buildCounterQuery(ANONYMOUS, endpoint, request, ASKING_ANONYMOUSLY, now)
  return deps.recorder.record({
    counters,
    approval: null,
    decide(values) {
      const decision = decideAnonymous({
        endpoint: endpoint.facts,
        request,
        counters: countersOf(values),
        now,
        platform,
        registrationUrl: `${appUrl}/agents/register`,
        docsUrl: `${publicUrl}/docs/denials`,
      })
      const correlationId = generateUuidV4(randomBytes(16))
      const record = buildVerificationRecord(deps.settings, {
        eventType: decision.eventType,
        request,
        endpoint,
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
        counters: countersOf(values),
      })
      const auditRecordId = request.dryRun ? undefined : record.recordId
      const answer = toAnonymousAnswer(deps, decision, correlationId, auditRecordId, request)
      if (request.dryRun) return commitmentOf([], answer)
      const isGrant = decision.recommendation !== 'deny'
      return {
        ...commitmentOf([record, ...buildDiscoveryBlockedRecords(deps.settings, resolved, now)], answer),
        ...(isGrant
          ? buildCountedGrant({
              ...{ caller: ANONYMOUS, endpoint, request, counters, values, now },
              // No sub-agents are granted to callers without identity.
              ...{ window: null, sessionId: null, sessionSeconds: 0 },
            })
          : {}),
        buildAnswer: () => answer,
      }
    },
  })
}

function toAnonymousAnswer(
  deps: Pick<VerificationDeps, 'linkFailures'>,
  decision: AnonymousDecision,
  correlationId: string,
  auditRecordId: string | undefined,
  request: VerificationRequest,
): AnonymousAnswer {
  const access = deps.linkFailures(decision.access)
  // The link leads to the paragraph about the first failure.
  const docsUrl = access.failures?.[0]?.docsUrl ?? decision.advisory.docsUrl
  return {
    success: true,
    access,
    recommendation: decision.recommendation,
    recommendationReasons: decision.recommendationReasons,
    correlationId,
    advisory: { ...decision.advisory, docsUrl },
    warnings: warnOfMisspelt(request.misspelt),
    ...(decision.agent ? { agent: decision.agent } : {}),
    ...(decision.warningHeader ? { warningHeader: decision.warningHeader } : {}),
    ...(auditRecordId === undefined ? {} : { auditRecordId }),
  }
}
