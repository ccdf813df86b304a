import type { RecordedUse, ReportedUse, USE_CONTRADICTIONS } from '@svc/core/contract/verification.ts'
import { parseCompactJws } from '@svc/core/credentials/parseCompactJws.ts'
import { addDecimals, compareDecimals } from '@svc/core/decimal.ts'
import { readReceiptClaims } from '@svc/core/receipt/readReceiptClaims.ts'
import type { ReceiptClaims } from '@svc/core/receipt/receipt.ts'
import type { AuditRecord, AuditRecordStore } from '../../store/audit/auditRecordStore.ts'
import type { Db } from '../../store/database/database.ts'
import type { createReceiptUseStore, UsedGrant } from '../../store/receipts/receiptUseStore.ts'
import type { createUsedProofStore } from '../../store/recorder/usedProofStore.ts'
import { mayWriteFor } from '../mayWriteFor.ts'
import type { ApiKeyPrincipal } from '../principal.ts'
import { buildSessionRecord } from '../verification/buildSessionRecord.ts'
import { proofIdOf } from '../verification/proofIdOf.ts'

type Contradiction = (typeof USE_CONTRADICTIONS)[number]

export type RecordUsesDeps = {
  records: Pick<AuditRecordStore, 'byRecordId' | 'append'>
  uses: ReturnType<typeof createReceiptUseStore<Contradiction>>
  usedProofs: ReturnType<typeof createUsedProofStore>
  transaction: Db['transaction']
  /** Resolves once everything recorded so far can be found by its id. */
  catchUp: () => Promise<unknown>
  randomBytes: (length: number) => Uint8Array
}

export type RecordUsesInput = { principal: ApiKeyPrincipal; uses: readonly ReportedUse[]; now: number }

/** How far the clock of a gateway may differ from ours; a signature is also accepted that long after it has expired. */
const SKEW_MS = 60_000

/**
 * Records requests that a gateway answered with grants that it already had: an event for both parties each.
 *
 * A use that contradicts its grant is recorded as such: it has happened, and both parties have to know. Reporting a use
 * again changes nothing and returns what became of it. Only the counterparty may report, with a key that may write.
 */
export async function recordUses(
  deps: RecordUsesDeps,
  { principal, uses, now }: RecordUsesInput,
): Promise<RecordedUse[]> {
  const grants = await findGrants(deps, principal, uses)
  return deps.transaction(async (trx) => {
    const recorded: RecordedUse[] = []
    for (const use of uses) recorded.push(await recordUse(deps, trx, { use, grants, now }))
    return recorded
  })
}

/** The records of the grants that the caller may report on, by id. */
async function findGrants(
  { records, catchUp }: RecordUsesDeps,
  principal: ApiKeyPrincipal,
  uses: readonly ReportedUse[],
): Promise<Map<string, AuditRecord>> {
  const ids = [...new Set(uses.map(({ auditRecordId }) => auditRecordId))]
  let found = await Promise.all(ids.map(records.byRecordId))
  if (found.includes(null)) {
    await catchUp()
    found = await Promise.all(ids.map(records.byRecordId))
  }
  const own = found.filter(
    (record) => record?.counterpartyOwnerId && mayWriteFor(principal, record.counterpartyOwnerId),
  )
  return new Map(own.flatMap((record) => (record === null ? [] : [[record.recordId, record]])))
}

type Transaction = Parameters<AuditRecordStore['append']>[0]

async function recordUse(
  deps: RecordUsesDeps,
  trx: Transaction,
  { use, grants, now }: { use: ReportedUse; grants: ReadonlyMap<string, AuditRecord>; now: number },
): Promise<RecordedUse> {
  const useId = use.useId.toLowerCase()
  const opened = grants.get(use.auditRecordId)
  const grant = opened === undefined ? null : await deps.uses.openGrant(trx, opened.recordId)
  const claims = grant === null ? null : claimsOf(grant)
  if (opened === undefined || grant === null || claims === null)
    return { useId, status: 'unknown', contradiction: null }
  const { recordId } = opened
  const known = await deps.uses.contradictionOf(trx, { recordId, useId })
  if (known !== undefined) return resultOf(useId, known)
  const value = String(use.value ?? 0)
  const usedValue = addDecimals(grant.usedValue, value)
  const usedAt = Date.parse(use.usedAt)
  const expiresAt = use.expires * 1000 + SKEW_MS
  const proof = proofIdOf({ key: `${grant.keyThumbprint} ${use.nonce}`, expiresAt })
  const isFresh = await deps.usedProofs.use(trx, { proof, expiresAt })
  const contradiction =
    findContradiction({ claims, grant, usedAt, usedValue, now }) ?? (isFresh ? null : 'replayed')
  await deps.uses.insert(trx, { recordId, useId, usedAt, value, contradiction }, usedValue)
  await deps.records.append(trx, buildUseRecord(deps, opened, claims, { use, contradiction, now }))
  return resultOf(useId, contradiction)
}

function claimsOf({ receipt }: UsedGrant): ReceiptClaims | null {
  const jws = parseCompactJws(receipt)
  return jws && readReceiptClaims(jws.payload)
}

function resultOf(useId: string, contradiction: Contradiction | null): RecordedUse {
  return { useId, status: contradiction === null ? 'recorded' : 'contradicted', contradiction }
}

type Judged = { claims: ReceiptClaims; grant: UsedGrant; usedAt: number; usedValue: string; now: number }

function findContradiction({ claims, grant, usedAt, usedValue, now }: Judged): Contradiction | null {
  const isWithin = usedAt >= claims.iat * 1000 - SKEW_MS && usedAt < claims.exp * 1000 + SKEW_MS
  if (!isWithin || usedAt > now + SKEW_MS) return 'outside_session'
  if (grant.withdrawnAt !== null && usedAt >= grant.withdrawnAt) return 'withdrawn'
  if (compareDecimals(usedValue, claims.value ?? 0) > 0) return 'over_value'
  return grant.keyThumbprint === null ? 'unproven' : null
}

function buildUseRecord(
  { randomBytes }: RecordUsesDeps,
  opened: AuditRecord,
  claims: ReceiptClaims,
  { use, contradiction, now }: { use: ReportedUse; contradiction: Contradiction | null; now: number },
) {
  const { sessionId, purpose, action, resource, currency } = claims
  return buildSessionRecord(randomBytes, opened, {
    eventType: 'verification.reused',
    subject: { reuseOf: opened.recordId, useId: use.useId.toLowerCase() },
    eventData: {
      ...{ sessionId, purpose, action, resource },
      transactionValue: use.value,
      currency: use.value === undefined ? undefined : currency,
      usedAt: use.usedAt,
      contradiction: contradiction ?? undefined,
    },
    at: now,
  })
}
