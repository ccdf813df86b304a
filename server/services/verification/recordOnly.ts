import type { NewAuditRecord } from '../../store/audit/newAuditRecord.ts'
import type { Commitment } from '../../store/recorder/recorder.ts'
import { createAuditRecord } from '../audit/createAuditRecord.ts'
import type { ResolvedEndpoint } from './resolveEndpoint.ts'
import type { VerifiableAgent } from './verifiableAgent.ts'
import type { ResolvedInput, VerificationDeps } from './verificationDeps.ts'

type Outcome = Pick<ResolvedInput, 'resolved' | 'now'> & { record: NewAuditRecord; answer: object }

/**
 * Records an outcome that counts nothing and asks nobody, with what is answered about it, and with what kept its URL from
 * being stored.
 */
export async function recordOnly(
  { recorder, settings }: Pick<VerificationDeps, 'recorder' | 'settings'>,
  { record, resolved, now, answer }: Outcome,
): Promise<void> {
  const records = [record, ...buildDiscoveryBlockedRecords(settings, resolved, now)]
  const commitment = { ...commitmentOf(records, undefined), answer: () => answer }
  await recorder.record({ counters: null, approval: null, decide: () => commitment })
}

/** A commitment of records alone; callers add what else the outcome writes. */
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
 * The event that says why a URL was not stored as discovered, for the caller and the owner of the agent that came; none
 * when nothing was blocked.
 *
 * Source: `Spec: Events` `counterparty.discovery_blocked`.
 */
export function buildDiscoveryBlockedRecords(
  settings: { randomBytes: (length: number) => Uint8Array },
  resolved: ResolvedEndpoint,
  now: number,
  agent: Pick<VerifiableAgent, 'svcId' | 'ownerId'> | null = null,
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
          counterpartyUrl: endpoint.url,
          endpointTier: endpoint.facts.tier,
        },
      },
      now,
      settings.randomBytes,
    ),
  ]
}
