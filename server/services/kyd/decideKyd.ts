import type { KydCase } from '@svc/core/contract/kyd.ts'
import type { Comparison } from '@svc/core/kyd/comparisons.ts'
import { apiError } from '../../errors.ts'
import type { KydCaseOfAccount, KydStore } from '../../store/accounts/kydStore.ts'
import type { AlertStore } from '../../store/approvals/alertStore.ts'
import type { AuditRecordStore } from '../../store/audit/auditRecordStore.ts'
import type { Db } from '../../store/database/database.ts'
import type { OutboxStore } from '../../store/relayer/outboxStore.ts'
import { buildAlert } from '../alerts/createRaiseAlert.ts'
import { createAuditRecord } from '../audit/createAuditRecord.ts'
import { type Post, postMail } from '../mail/postMail.ts'
import type { SessionPrincipal } from '../principal.ts'
import { toKydCaseView } from './readKydCase.ts'

type Transaction = Parameters<KydStore['decide']>[0]

export type DecideKydDeps = {
  db: Pick<Db, 'transaction'>
  stores: {
    kyd: Pick<KydStore, 'byId' | 'decide' | 'verify' | 'deleteDocuments'>
    alerts: Pick<AlertStore, 'raise'>
    records: Pick<AuditRecordStore, 'append'>
    outbox: Pick<OutboxStore, 'releaseStranger'>
  }
  post: Post
  /** How long documents are stored after the decision; 0 deletes them with it. */
  retentionDays: number
  randomBytes: (length: number) => Uint8Array
  /** Called after the commit and before the response when the inputs of a trust score have changed for an account. */
  onAccountChanged(userId: string): Promise<void>
}

export type DecideKydInput = {
  principal: SessionPrincipal
  caseId: string
  decision:
    | { status: 'approved'; compared: readonly Comparison[] | null }
    | { status: 'rejected'; reason: string }
  now: number
}

/**
 * Decides a case: marks the identity as verified or states why not, and notifies the owner by mail and alert. Agents of a
 * verified owner no longer wait for the strangers’ share of the gas.
 *
 * The decision, its record, the notifications and, by policy, the deletion of the documents are one transaction. One
 * conditional UPDATE changes the state, so that only one of two simultaneous decisions counts.
 *
 * @throws ApiError NOT_FOUND, FORBIDDEN for a case of the operator's own, INVALID_STATE for a decided case.
 */
export async function decideKyd(deps: DecideKydDeps, input: DecideKydInput): Promise<KydCase> {
  const { kyd } = deps.stores
  const { principal, caseId, decision, now } = input
  const decided = await deps.db.transaction(async (trx) => {
    const found = await kyd.byId(caseId, trx)
    if (found === null) throw apiError('NOT_FOUND')
    if (found.userId === principal.userId) {
      throw apiError('FORBIDDEN', { message: 'You cannot decide about your own identity.' })
    }
    const reason = decision.status === 'rejected' ? decision.reason : null
    const compared = comparedIn(decision)
    const { status } = decision
    const isDecided = await kyd.decide(trx, caseId, {
      ...{ status, reason, compared },
      decidedAt: now,
      decidedBy: principal.userId,
    })
    if (!isDecided) throw apiError('INVALID_STATE', { message: `The case was already ${found.status}.` })
    if (status === 'approved') {
      await kyd.verify(trx, found.userId, now)
      await deps.stores.outbox.releaseStranger(trx, found.userId, now)
    }
    if (deps.retentionDays === 0) await kyd.deleteDocuments(trx, caseId, now)
    await deps.stores.records.append(trx, buildKydRecord(deps, found, input))
    await tellOwner(deps, trx, found, input)
    return (await kyd.byId(caseId, trx)) ?? found
  })
  deps.post.wake()
  if (decided.status === 'approved') await deps.onAccountChanged(decided.userId)
  return toKydCaseView(decided, principal.userId)
}

/** What the reviewer compared; null if nothing was stated, as in a rejection. */
function comparedIn(decision: DecideKydInput['decision']): Comparison[] | null {
  return decision.status === 'approved' && decision.compared !== null ? [...decision.compared] : null
}

/**
 * Records who decided what and when, and what was compared, but nothing about the documents; the reason is left out, because
 * it is free text.
 */
function buildKydRecord(
  { randomBytes }: Pick<DecideKydDeps, 'randomBytes'>,
  found: KydCaseOfAccount,
  { principal, decision, now }: DecideKydInput,
) {
  const caseId = found.id
  const compared = comparedIn(decision)
  const stated = compared === null ? {} : { compared }
  return createAuditRecord(
    {
      eventType: `kyd.${decision.status}`,
      ownerId: found.developerId,
      counterpartyOwnerId: null,
      agentId: null,
      endpointId: null,
      subject: { caseId },
      eventData: { caseId, decidedBy: principal.developerId, ...stated },
      inputs: { caseId, developerId: found.developerId, decidedBy: principal.developerId, ...stated },
    },
    now,
    randomBytes,
  )
}

async function tellOwner(
  deps: DecideKydDeps,
  trx: Transaction,
  { id, developerId, email }: KydCaseOfAccount,
  { decision, now }: DecideKydInput,
): Promise<void> {
  const code = `kyd.${decision.status}`
  await deps.stores.alerts.raise(
    buildAlert(
      { ownerId: developerId, code, severity: 'warning', subject: id, data: {} },
      { now, randomBytes: deps.randomBytes },
    ),
    trx,
  )
  if (email === null) return
  const isApproved = decision.status === 'approved'
  const link = `${deps.post.appUrl}/kyd`
  const data = { isApproved, link }
  await postMail(deps.post, trx, { template: 'kyd_decided', recipient: email, data, now, key: `kyd.${id}` })
}
