import type { RecordedUse, ReportedUse, USE_CONTRADICTIONS } from '@svc/core/contract/uses.ts'
import { parseCompactJws } from '@svc/core/credentials/parseCompactJws.ts'
import { addDecimals, compareDecimals } from '@svc/core/decimal.ts'
import { readReceiptClaims } from '@svc/core/receipt/readReceiptClaims.ts'
import { GRANT_USES_MAX, type ReceiptClaims } from '@svc/core/receipt/receipt.ts'
import { SIGNATURE_SECONDS_MAX } from '@svc/core/signing/signatureProfile.ts'
import { ApiError } from '../../errors.ts'
import type { AuditRecord, AuditRecordStore } from '../../store/audit/auditRecordStore.ts'
import type { Db } from '../../store/database/database.ts'
import type { LockName } from '../../store/database/locks/lockName.ts'
import type { ReceiptStore } from '../../store/receipts/receiptStore.ts'
import type { createReceiptUseStore, UsedGrant } from '../../store/receipts/receiptUseStore.ts'
import type { createUsedProofStore } from '../../store/recorder/usedProofStore.ts'
import { mayWriteFor } from '../mayWriteFor.ts'
import type { ApiKeyPrincipal } from '../principal.ts'
import { buildSessionRecord } from '../verification/buildSessionRecord.ts'
import { proofIdOf, reportedProofIdOf } from '../verification/proofs/proofIdOf.ts'
import { type FindSignedUsesDeps, findSignedUses, type UseSignature } from './findSignedUses.ts'

type Contradiction = (typeof USE_CONTRADICTIONS)[number]

export type RecordUsesDeps = FindSignedUsesDeps & {
  records: Pick<AuditRecordStore, 'byRecordId' | 'append'>
  receipts: Pick<ReceiptStore, 'signersOf'>
  uses: ReturnType<typeof createReceiptUseStore<Contradiction>>
  usedProofs: ReturnType<typeof createUsedProofStore>
  transaction: Db['transaction']
  /** Resolves once everything recorded so far can be found by its id. */
  catchUp: () => Promise<unknown>
  randomBytes: (length: number) => Uint8Array
}

export type RecordUsesInput = {
  principal: ApiKeyPrincipal
  uses: readonly ReportedUse[]
  now: number
  /** Counts a further use against the rate limit; the first one is counted already. @throws ApiError RATE_LIMITED. */
  takeAnother(): Promise<void>
}

/** How far the clock of a gateway may differ from ours; a signature is also accepted that long after it has expired. */
const SKEW_MS = 60_000
/** The longest time from a use to when its signature expires: one that is dated ahead of the gateway's clock. */
const LIFE_MS_MAX = SIGNATURE_SECONDS_MAX * 1000 + SKEW_MS
/** So that other writes do not wait for a whole report. */
const USES_PER_TRANSACTION = 10

/**
 * Records requests that a gateway answered with grants that it already had: an event for both parties each.
 *
 * A use that contradicts its grant is recorded as such: it has happened, and both parties have to know. One that a gateway
 * could not have made is not: a stranger could write as much as they like into the agent's history with it. Reporting a use
 * again changes nothing and returns what became of it. Only the counterparty may report, with a key that may write.
 *
 * Each use counts against the caller's rate limit, as each evaluation of a batch does. What follows the first one that has
 * no room is not in the result, and is reported again.
 */
export async function recordUses(
  deps: RecordUsesDeps,
  { principal, uses, now, takeAnother }: RecordUsesInput,
): Promise<RecordedUse[]> {
  const counted = uses.slice(0, 1 + (await countRoom(uses.length - 1, takeAnother)))
  const grants = await findGrants(deps, principal, counted)
  const [signed, signers] = await Promise.all([
    findSignedUses(deps, counted, grants),
    deps.receipts.signersOf([...grants.keys()]),
  ])
  const all: RecordedUse[] = []
  for (let from = 0; from < counted.length; from += USES_PER_TRANSACTION) {
    const due = counted.slice(from, from + USES_PER_TRANSACTION)
    const results = await deps.transaction(
      async (trx) => {
        const recorded: RecordedUse[] = []
        for (const use of due)
          recorded.push(await recordUse(deps, trx, { use, signature: signed.get(use), grants, now }))
        return recorded
      },
      listChanges(due, grants, signers),
    )
    all.push(...results)
  }
  return all
}

/** How many of the wanted uses the rate limit leaves room for. */
async function countRoom(wanted: number, takeAnother: RecordUsesInput['takeAnother']): Promise<number> {
  for (let taken = 0; taken < wanted; taken += 1) {
    try {
      await takeAnother()
    } catch (error) {
      if (error instanceof ApiError && error.code === 'RATE_LIMITED') return taken
      throw error
    }
  }
  return wanted
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

/**
 * What the record of each use changes. A proof is locked before it is looked up, because the service may be asked to accept
 * it at the same time.
 */
function listChanges(
  uses: readonly ReportedUse[],
  grants: ReadonlyMap<string, AuditRecord>,
  signers: ReadonlyMap<string, string | null>,
): LockName[] {
  return uses.flatMap((use): LockName[] => {
    const opened = grants.get(use.auditRecordId)
    if (opened === undefined) return []
    const keyThumbprint = signers.get(opened.recordId) ?? null
    const { everywhere, here } = nameNonce({ use, keyThumbprint, endpointId: opened.endpointId })
    const proofs = here === null ? [everywhere] : [everywhere, here]
    return [`receipt ${opened.recordId}`, ...proofs.map((proof): LockName => `proof ${proof}`)]
  })
}

type Transaction = Parameters<AuditRecordStore['append']>[0]

type ToRecord = {
  use: ReportedUse
  /** The signature that the report contains; undefined if it contains none, or none that counts. */
  signature: UseSignature | undefined
  grants: ReadonlyMap<string, AuditRecord>
  now: number
}

async function recordUse(
  deps: RecordUsesDeps,
  trx: Transaction,
  { use, signature, grants, now }: ToRecord,
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
  const usedAt = Date.parse(use.usedAt)
  const own = signature?.kid === grant.keyThumbprint ? signature : undefined
  const refusal = findRefusal({ grant, claims, use, created: own?.created, usedAt, now })
  if (refusal !== null) return { useId, status: 'refused', contradiction: refusal }
  const value = String(use.value ?? 0)
  const usedValue = addDecimals(grant.usedValue, value)
  const isSigned = own !== undefined
  const isFresh = await useNonce(deps, trx, { use, isSigned, grant, endpointId: opened.endpointId })
  const contradiction =
    findContradiction({ claims, grant, usedAt, usedValue, now }) ?? (isFresh ? null : 'replayed')
  await deps.uses.insert(trx, { recordId, useId, usedAt, value, contradiction }, usedValue)
  await deps.records.append(trx, buildUseRecord(deps, opened, claims, { use, isSigned, contradiction, now }))
  return resultOf(useId, contradiction)
}

/**
 * Uses up the signature of a request; false if it was used before. A report that contains the signature uses it up
 * everywhere, and any other only at the endpoint that reports, because it is only a statement about the nonce.
 */
async function useNonce(
  { usedProofs }: RecordUsesDeps,
  trx: Transaction,
  used: { use: ReportedUse; isSigned: boolean; grant: UsedGrant; endpointId: string | null },
): Promise<boolean> {
  const { use, isSigned, grant, endpointId } = used
  const { everywhere, here, expiresAt } = nameNonce({ use, keyThumbprint: grant.keyThumbprint, endpointId })
  const proof = isSigned ? everywhere : (here ?? everywhere)
  const other = isSigned ? here : everywhere
  if (other !== null && (await usedProofs.isUsed(trx, other))) return false
  return usedProofs.use(trx, { proof, expiresAt })
}

type Signed = { use: ReportedUse; keyThumbprint: string | null; endpointId: string | null }

/** The identifiers under which the use of a signature is stored, everywhere and at the endpoint that reports it. */
function nameNonce({ use, keyThumbprint, endpointId }: Signed) {
  const expiresAt = use.expires * 1000 + SKEW_MS
  const nonce = { key: `${keyThumbprint} ${use.nonce}`, expiresAt }
  return { everywhere: proofIdOf(nonce), here: reportedProofIdOf(nonce, endpointId), expiresAt }
}

function claimsOf({ receipt }: UsedGrant): ReceiptClaims | null {
  const jws = parseCompactJws(receipt)
  return jws && readReceiptClaims(jws.payload)
}

function resultOf(useId: string, contradiction: Contradiction | null): RecordedUse {
  return { useId, status: contradiction === null ? 'recorded' : 'contradicted', contradiction }
}

type Examined = {
  grant: UsedGrant
  claims: ReceiptClaims
  use: ReportedUse
  /** When the request was signed, in Unix seconds; undefined if the report does not show it. */
  created: number | undefined
  usedAt: number
  now: number
}

/**
 * What no gateway does: it uses grants to signed requests, each so often at most, for requests that were signed after the
 * grant, while their signatures are valid, which end in time. It compares the same numbers, so no clocks can differ.
 */
function findRefusal({ grant, claims, use, created, usedAt, now }: Examined): Contradiction | null {
  if (grant.keyThumbprint === null) return 'unproven'
  if (grant.useCount >= GRANT_USES_MAX) return 'too_many'
  const expiresAt = use.expires * 1000
  if (expiresAt <= usedAt || (created !== undefined && created < claims.iat)) return 'outside_signature'
  return expiresAt > Math.min(usedAt, now + SKEW_MS) + LIFE_MS_MAX ? 'long_lived' : null
}

type Judged = { claims: ReceiptClaims; grant: UsedGrant; usedAt: number; usedValue: string; now: number }

function findContradiction({ claims, grant, usedAt, usedValue, now }: Judged): Contradiction | null {
  const isWithin = usedAt >= claims.iat * 1000 - SKEW_MS && usedAt < claims.exp * 1000 + SKEW_MS
  if (!isWithin || usedAt > now + SKEW_MS) return 'outside_session'
  if (grant.withdrawnAt !== null && usedAt >= grant.withdrawnAt) return 'withdrawn'
  return compareDecimals(usedValue, claims.value ?? 0) > 0 ? 'over_value' : null
}

type Judgement = {
  /** Whether the report contains the signature of the request, and so shows that there was one. */
  isSigned: boolean
  contradiction: Contradiction | null
}

function buildUseRecord(
  { randomBytes }: RecordUsesDeps,
  opened: AuditRecord,
  claims: ReceiptClaims,
  { use, isSigned, contradiction, now }: Pick<ToRecord, 'use' | 'now'> & Judgement,
) {
  const { sessionId, purpose, action, resource, currency } = claims
  // Uses of signatures are forgotten from then on, so an earlier one would not have been found.
  const isLate = now > use.expires * 1000 + SKEW_MS
  return buildSessionRecord(randomBytes, opened, {
    eventType: 'verification.reused',
    subject: { reuseOf: opened.recordId, useId: use.useId.toLowerCase() },
    eventData: {
      ...{ sessionId, purpose, action, resource },
      transactionValue: use.value,
      currency: use.value === undefined ? undefined : currency,
      usedAt: use.usedAt,
      isSigned,
      isLate: isLate || undefined,
      contradiction: contradiction ?? undefined,
    },
    at: now,
  })
}
