import type { OwnerContactsStore } from '../../store/approvals/ownerContactsStore.ts'
import type { PushMessageStore } from '../../store/approvals/pushMessageStore.ts'

export type QueuePushDeps = {
  contacts: Pick<OwnerContactsStore, 'writerIdsOf'>
  pushes: Pick<PushMessageStore, 'add'>
}

type Trx = Parameters<PushMessageStore['add']>[0]

type WaitingApproval = {
  ownerId: string
  /** The approval. */
  key: string
  agentName: string
  /** Where the dashboard shows it. */
  path: string
  now: number
  expiresAt: number
}

/**
 * Queues a notification that an approval is waiting, for every browser of those who may decide. It says which agent asks,
 * and nothing else: it may stand on a locked screen.
 */
export async function queuePush(
  { contacts, pushes }: QueuePushDeps,
  trx: Trx,
  { ownerId, key, agentName, path, now, expiresAt }: WaitingApproval,
): Promise<void> {
  const payload = JSON.stringify({ title: `${agentName} requests your approval`, path })
  await pushes.add(trx, await contacts.writerIdsOf(ownerId, trx), { key, payload, now, expiresAt })
}
