import type { Intent } from '../../store/relayer/intentRow.ts'
import type { OutboxStore } from '../../store/relayer/outboxStore.ts'
import { INTENT_PAYLOADS } from './intents.ts'
import { isSameAddress } from './isSameAddress.ts'

const OPEN_MAX = 1_000

/**
 * Mints with an owner's consent that no block holds yet, as far as the outbox knows, oldest first.
 *
 * Consents of one owner are numbered: a later one is refused by the contract until the earlier ones are mined.
 */
export async function pendingConsents(outbox: Pick<OutboxStore, 'open'>, owner: string): Promise<Intent[]> {
  const open = await outbox.open(['queued', 'signed', 'sent'], OPEN_MAX)
  return open.filter((intent) => {
    if (intent.kind !== 'identity.mint') return false
    const mint = INTENT_PAYLOADS['identity.mint'].safeParse(intent.payload)
    if (!mint.success || mint.data.consent === null || mint.data.owner === null) return false
    return isSameAddress(mint.data.owner, owner)
  })
}
