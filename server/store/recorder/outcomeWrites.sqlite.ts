import { originsOf } from '../audit/recordOriginStore.ts'
import { type Commitment, type NewApproval, placeOfAttempt } from './recorder.ts'
import type { RecorderStatements } from './recorderStatements.sqlite.ts'

/**
 * Writes the records of a decision and what it changes, inside the transaction of its group.
 *
 * @param firstSeq Sequence number of its first record.
 * @returns The next free sequence number.
 */
export function writeOutcome(
  statements: RecorderStatements,
  commitment: Commitment<unknown>,
  firstSeq: number,
): number {
  let seq = firstSeq
  for (const record of commitment.records) {
    statements.insertRecord.run(
      seq,
      record.recordId,
      record.recordedAt,
      record.eventType,
      record.ownerId,
      record.counterpartyOwnerId,
      record.agentId,
      record.endpointId,
      record.sessionId,
      record.eventData,
      record.inputs,
      record.inputsSalt,
      record.entry,
    )
    if (record.receipt) {
      const { recordId, recordedAt, receipt } = record
      const { account, ...issued } = receipt
      const { address = null, revocation = null } = account ?? {}
      statements.insertReceipt.run({ recordId, recordedAt, ...issued, address, revocation })
    }
    seq += 1
  }
  const { grants, spend, subAgent, newApproval, consumedApprovalId, standing, usedProofs = [] } = commitment
  for (const grant of grants) statements.grants.add(grant)
  if (spend) statements.setSpend.run(spend.endpointId, spend.agentId, spend.period, spend.total)
  if (subAgent) {
    const { agentId, endpointId, window, sessionId, grantedAt, expiresAt } = subAgent
    statements.insertSubAgent.run(agentId, firstSeq, endpointId, window, sessionId, grantedAt, expiresAt)
  }
  if (standing) statements.useStanding.run(standing.used, standing.id)
  if (newApproval) insertApproval(statements, newApproval)
  if (consumedApprovalId)
    statements.consumeApproval.run(commitment.records[0]?.recordedAt, consumedApprovalId)
  for (const use of usedProofs) statements.proofs.use(use, commitment.records[0]?.recordedAt ?? 0)
  return seq
}

/** Writes in which span the records of a decision were made. */
export function writeOrigins(
  statements: RecorderStatements,
  { records }: Pick<Commitment<unknown>, 'records'>,
  traceParent: string,
): void {
  for (const origin of originsOf(records, traceParent)) statements.insertOrigin.run(origin)
}

function insertApproval(statements: RecorderStatements, approval: NewApproval): void {
  statements.supersedeApproval.run(
    approval.createdAt,
    approval.agentId,
    approval.attemptId,
    placeOfAttempt(approval),
  )
  statements.insertApproval.run(
    approval.id,
    approval.agentId,
    approval.ownerId,
    approval.counterpartyOwnerId,
    approval.counterpartyAccountId,
    approval.endpointId,
    approval.apiKeyId,
    approval.attemptId,
    approval.requestHash,
    approval.request,
    JSON.stringify(approval.dimensions),
    approval.needsFreshAssertion ? 1 : 0,
    approval.challengeSalt,
    approval.createdAt,
    approval.expiresAt,
  )
}
