import { warnOfMisspelt } from '@svc/core/access/findMisspeltMembers.ts'
import { denyUnknownAgent } from '@svc/core/access/outcomes.ts'
import type { UnknownAgentAnswer, VerificationAnswer } from '@svc/core/contract/verification.ts'
import { FOREIGN_FAULTS, type ForeignFault } from '../foreign/foreignAgent.ts'
import { buildVerificationRecord } from './buildVerificationRecord.ts'
import { resolveEndpoint } from './parties/resolveEndpoint.ts'
import { resolveCredentials } from './proofs/resolveCredentials.ts'
import { recordOnly } from './recordOnly.ts'
import type { ResolvedInput, VerificationDeps, VerificationInput } from './verificationDeps.ts'
import { verifyAnonymous } from './verifyAnonymous.ts'
import { verifyRegistered } from './verifyRegistered.ts'

/**
 * Decides whether this agent may do this here and now.
 *
 * A third-party credential is first replaced with the agent that it identifies. The answer is sent once the outcome, with
 * its event, audit entry, session and counters, is on disk.
 *
 * @throws ApiError COUNTERPARTY_KEY_MISMATCH, VALIDATION_ERROR, ATTEMPT_MISMATCH; CHAIN_UNAVAILABLE for a
 * foreign agent; as `WaitForHost`. Source: `Spec: POST /api/agents/verify-access`.
 */
export function verifyAccess(deps: VerificationDeps, input: VerificationInput): Promise<VerificationAnswer> {
  return deps.measure(() => decideAccess(deps, input))
}

async function decideAccess(deps: VerificationDeps, input: VerificationInput): Promise<VerificationAnswer> {
  const { principal, now } = input
  const { credentials = [] } = input.request
  const named = credentials.length > 0 ? await resolveCredentials(deps, input) : null
  const request = named?.request ?? input.request
  const resolved = await resolveEndpoint(deps.resolve, principal, request, now)
  const { tier, status } = resolved.endpoint.facts
  if (tier === 'discovered' && status !== 'archived' && !request.dryRun) {
    deps.warnUnregistered(resolved.endpoint, now)
  }
  if (named?.isUnknown) return answerUnknownAgent(deps, { ...input, request, resolved }, named.fault)
  if (request.agentId === undefined) return verifyAnonymous(deps, { ...input, resolved })
  const known = named?.visitor ?? (await deps.agentBySvcId(request.agentId))
  if (!known) return answerUnknownAgent(deps, { ...input, request, resolved })
  const agent = known.adopted === null ? known : await deps.foreign.confirm(known, now)
  if (agent === null || typeof agent === 'string') {
    return answerUnknownAgent(deps, { ...input, request, resolved }, agent ?? undefined)
  }
  return verifyRegistered(deps, { ...input, request, resolved, agent })
}

async function answerUnknownAgent(
  deps: VerificationDeps,
  input: ResolvedInput,
  fault?: ForeignFault,
): Promise<UnknownAgentAnswer> {
  const { request, resolved, now } = input
  const decision = denyUnknownAgent(fault === undefined ? request : {})
  const record = buildVerificationRecord(deps.settings, {
    eventType: 'verification.agent_not_found',
    request,
    endpoint: resolved.endpoint,
    agent: null,
    decision,
    now,
    hasTokenFault: fault !== undefined || undefined,
    eventData: {
      errorMessage:
        fault === undefined
          ? (decision.access.failures?.[0]?.message ?? '')
          : `The credential ${FOREIGN_FAULTS[fault]}.`,
      presentedAgentId: request.agentId,
    },
  })
  const answer: UnknownAgentAnswer = {
    success: true,
    access: deps.linkFailures(decision.access),
    recommendation: decision.recommendation,
    recommendationReasons: decision.recommendationReasons,
    warnings: warnOfMisspelt(request.misspelt),
    ...(request.dryRun ? {} : { auditRecordId: record.recordId }),
  }
  if (!request.dryRun) await recordOnly(deps, { record, resolved, now, answer })
  return answer
}
