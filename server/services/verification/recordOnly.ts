import type { NewAuditRecord } from '../../store/audit/newAuditRecord.ts'
import type { Commitment } from '../../store/recorder/recorder.ts'
import { createAuditRecord } from '../audit/createAuditRecord.ts'
import type { ResolvedEndpoint } from './parties/resolveEndpoint.ts'
import type { VerifiableAgent } from './parties/verifiableAgent.ts'
import type { ResolvedInput, VerificationDeps } from './verificationDeps.ts'

type Outcome = Pick<ResolvedInput, 'resolved' | 'now'> & { record: NewAuditRecord; answer: object }

/**
 * Records an outcome without counters or approvals, together with its answer and, if the URL could not be stored, the
 * reason.
 */
export async function recordOnly(
  { recorder, settings }: Pick<VerificationDeps, 'recorder' | 'settings'>,
  { record, resolved, now, answer }: Outcome,
): Promise<void> {
  const records = [record, ...buildDiscoveryBlockedRecords(settings, resolved, now)]
  const commitment: Commitment<undefined> = { ...commitmentOf(records, undefined), buildAnswer: () => answer }
  await recorder.record({ counters: null, approval: null, decide: () => commitment })
}

/** A commitment that only appends records; callers add any other writes. */
export function commitmentOf<Result>(records: readonly NewAuditRecord[], result: Result): Commitment<Result> {
  return {
    records,
    grants: [],
    spend: null,
    subAgent: null,
    newApproval: null,
    consumedApprovalId: null,
    result,
  }
}

/**
 * Builds the event that explains, to the caller and the agent's owner, why a URL was not stored as discovered; empty if
 * nothing blocked it.
 *
 * Source: `Spec: Events` `counterparty.discovery_blocked`.
 */
export function buildDiscoveryBlockedRecords(
  settings: { randomBytes: (length: number) => Uint8Array },
  resolved: ResolvedEndpoint,
  now: number,
  agent: Pick<VerifiableAgent, 'svcId' | 'ownerId' | 'name'> | null = null,
): NewAuditRecord[] {
  if (resolved.blockedReason === null) return []
  const { endpoint, blockedReason } = resolved
  return [
    createAuditRecord(
      {
        eventType: 'counterparty.discovery_blocked',
        ownerId: agent?.ownerId ?? null,
        counterpartyOwnerId: endpoint.ownerId,
        agentId: agent?.svcId ?? null,
        endpointId: null,
        eventData: {
          reason: blockedReason,
          ...(agent && { agentName: agent.name }),
          counterpartyUrl: endpoint.url,
          endpointTier: endpoint.facts.tier,
        },
      },
      now,
      settings.randomBytes,
    ),
  ]
}
