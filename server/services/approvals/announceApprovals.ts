import type { MailOutboxStore } from '../../store/accounts/mailOutboxStore.ts'
import type { AlertStore } from '../../store/approvals/alertStore.ts'
import type { ApprovalDigestStore } from '../../store/approvals/approvalDigestStore.ts'
import type { ApprovalStore, StoredApproval } from '../../store/approvals/approvalStore.ts'
import type { OwnerContactsStore } from '../../store/approvals/ownerContactsStore.ts'
import type { Db } from '../../store/database/database.ts'
import { buildAlert } from '../alerts/createRaiseAlert.ts'
import type { MailData } from '../mail/mailTemplates.ts'
import { type QueuePushDeps, queuePush } from '../push/queuePush.ts'
import { resolveApprovalStatus } from './approvalView.ts'
import type { ApprovalRequest } from './buildApprovalRecord.ts'

/**
 * Maximum approvals per transaction: few, because each may go to all members of an organisation while other writers wait.
 */
const ANNOUNCE_MAX = 5
/**
 * Maximum mails about approvals to one owner per hour, so that an agent cannot flood its owner; the dashboard shows all
 * approvals. Those without proof are counted apart, so that nobody can have the mails about others withheld.
 */
const MAILED_PER_HOUR = 20
const HOUR_MS = 3_600_000

type Trx = Parameters<ApprovalStore['announce']>[0]

export type AnnounceApprovalsDeps = {
  db: Pick<Db, 'transaction'>
  approvals: Pick<ApprovalStore, 'announce' | 'askedBefore'>
  alerts: Pick<AlertStore, 'raise'>
  digests: Pick<ApprovalDigestStore, 'mark'>
  contacts: Pick<OwnerContactsStore, 'writersOf' | 'writerIdsOf'>
  pushes: QueuePushDeps['pushes']
  outbox: Pick<MailOutboxStore, 'add'>
  settings: { appUrl: string; clock: () => number; randomBytes: (length: number) => Uint8Array }
}

/**
 * Notifies owners of pending approvals: an alert on the dashboard, and for everyone who may approve a mail, if they have an
 * address, and a notification in their browsers, if they asked for it. Returns the number of approvals processed. Mails and
 * notifications about requests that prove nothing are left to `mailDigests`.
 *
 * The approval's own row records whether that was done, so a verification need not write anything for it, and no crash
 * loses it. An approval that was decided or expired meanwhile is skipped.
 *
 * Source: `Spec: Alerts`.
 */
export async function announceApprovals(deps: AnnounceApprovalsDeps): Promise<number> {
  const now = deps.settings.clock()
  return deps.db.transaction(async (trx) => {
    const approvals = await deps.approvals.announce(trx, now, ANNOUNCE_MAX)
    for (const approval of approvals) {
      if (resolveApprovalStatus(approval, now) === 'pending') await announce(deps, trx, approval, now)
    }
    return approvals.length
  })
}

async function announce(
  deps: AnnounceApprovalsDeps,
  trx: Trx,
  approval: StoredApproval,
  now: number,
): Promise<void> {
  const { alerts, contacts, outbox, settings } = deps
  const { id, ownerId, agentId, expiresAt } = approval
  const request = JSON.parse(approval.request) as ApprovalRequest
  const { agentName = agentId, endpointName: counterpartyName = null, identityProof } = request
  await alerts.raise(
    buildAlert(
      {
        ownerId,
        code: 'approval_pending',
        severity: 'warning',
        subject: id,
        data: { approvalId: id, agentId, agentName, expiresAt: new Date(expiresAt).toISOString() },
      },
      { now, since: approval.createdAt, randomBytes: settings.randomBytes },
    ),
    trx,
  )
  const isUnproven = identityProof === 'none'
  const earlier = await deps.approvals.askedBefore(trx, { ...approval, isUnproven }, MAILED_PER_HOUR)
  const isFlooded = earlier !== null && earlier > now - HOUR_MS
  if (isUnproven) await deps.digests.mark(trx, id, isFlooded ? null : now)
  if (isUnproven || isFlooded) return
  const path = `/activity/pending/${id}`
  await queuePush(deps, trx, { ownerId, key: id, agentName, path, now, expiresAt })
  const link = settings.appUrl + path
  const data: MailData['approval_pending'] = { agentName, counterpartyName, link, expiresAt }
  for (const { userId, email } of await contacts.writersOf(ownerId, trx)) {
    const key = `approval_pending.${id}.${userId}`
    await outbox.add(trx, { key, recipient: email, template: 'approval_pending', data, now, expiresAt })
  }
}
