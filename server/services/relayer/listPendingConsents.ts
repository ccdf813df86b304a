import { isSameHex } from '@svc/core/isSameHex.ts'
import type { Intent, IntentStatus } from '../../store/relayer/intentRow.ts'
import type { OutboxStore } from '../../store/relayer/outboxStore.ts'
import { INTENT_PAYLOADS } from './intents.ts'

const OPEN_MAX = 1_000

const UNMINED = ['queued', 'signed', 'sent'] as const

/**
 * Lists an owner's mints with consent that have not been mined, oldest first.
 *
 * Consents of one owner have consecutive nonces, and the contract refuses each one until the earlier ones are mined.
 *
 * @param statuses Given to list others, too.
 */
export async function listPendingConsents(
  outbox: Pick<OutboxStore, 'open'>,
  owner: string,
  statuses: readonly IntentStatus[] = UNMINED,
): Promise<Intent[]> {
  const open = await outbox.open(statuses, OPEN_MAX)
  return open.filter((intent) => {
    if (intent.kind !== 'identity.mint') return false
    const mint = INTENT_PAYLOADS['identity.mint'].safeParse(intent.payload)
    if (!mint.success || mint.data.consent === null || mint.data.owner === null) return false
    return isSameHex(mint.data.owner, owner)
  })
}
