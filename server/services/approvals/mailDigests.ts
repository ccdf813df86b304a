import type { MailOutboxStore } from '../../store/accounts/mailOutboxStore.ts'
import type {
  ApprovalDigestStore,
  DigestedApproval,
  DigestParties,
} from '../../store/approvals/approvalDigestStore.ts'
import type { OwnerContactsStore } from '../../store/approvals/ownerContactsStore.ts'
import type { Db } from '../../store/database/database.ts'
import type { MailData } from '../mail/mailTemplates.ts'
import { type QueuePushDeps, queuePush } from '../push/queuePush.ts'
import { resolveApprovalStatus } from './approvalView.ts'

/** Mails about the requests of one account, to one owner. */
const DIGEST_EVERY_MS = 10 * 60_000
/** Maximum mails to owners per transaction. */
const DIGESTS_MAX = 5

type Trx = Parameters<ApprovalDigestStore['take']>[0]

export type MailDigestsDeps = {
  db: Pick<Db, 'transaction'>
  digests: ApprovalDigestStore
  contacts: OwnerContactsStore
  pushes: QueuePushDeps['pushes']
  outbox: Pick<MailOutboxStore, 'add'>
  settings: { appUrl: string; clock: () => number }
}

/**
 * Mails owners, and notifies their browsers, about requests that prove nothing: the first of an account at once, and those
 * that follow together, at most once in ten minutes, so that nobody can fill a mailbox by naming an agent. Returns the
 * number of accounts processed.
 *
 * An approval that was decided or expired meanwhile is left out.
 */
export async function mailDigests(deps: MailDigestsDeps): Promise<number> {
  const now = deps.settings.clock()
  return deps.db.transaction(async (trx) => {
    const due = await deps.digests.due(trx, now, DIGESTS_MAX)
    for (const parties of due) {
      const taken = await deps.digests.take(trx, parties, { now, pauseMs: DIGEST_EVERY_MS })
      const pending = taken.filter((approval) => resolveApprovalStatus(approval, now) === 'pending')
      await mailAbout(deps, trx, parties, { pending, now })
    }
    return due.length
  })
}

async function mailAbout(
  deps: MailDigestsDeps,
  trx: Trx,
  { ownerId }: DigestParties,
  { pending, now }: { pending: readonly DigestedApproval[]; now: number },
): Promise<void> {
  const { contacts, outbox, settings } = deps
  const [first] = pending
  if (first === undefined) return
  const { agentName = first.agentId } = JSON.parse(first.request) as { agentName?: string }
  const path = pending.length === 1 ? `/activity/pending/${first.id}` : '/approvals'
  const data: MailData['approvals_unproven'] = {
    count: pending.length,
    agentName,
    link: settings.appUrl + path,
    expiresAt: Math.min(...pending.map((approval) => approval.expiresAt)),
  }
  const expiresAt = Math.max(...pending.map((approval) => approval.expiresAt))
  await queuePush(deps, trx, { ownerId, key: first.id, agentName, path, now, expiresAt })
  for (const { userId, email } of await contacts.writersOf(ownerId, trx)) {
    const key = `approvals_unproven.${first.id}.${userId}`
    await outbox.add(trx, { key, recipient: email, template: 'approvals_unproven', data, now, expiresAt })
  }
}
