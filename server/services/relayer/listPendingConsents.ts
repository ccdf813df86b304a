import { isSameHex } from '@svc/core/isSameHex.ts'
import type { Intent, IntentStatus } from '../../store/relayer/intentRow.ts'
import type { OutboxStore } from '../../store/relayer/outboxStore.ts'
import { INTENT_PAYLOADS, type IntentKind } from './intents.ts'

const PAGE = 1_000

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
  const found: Intent[] = []
  for (let after = 0; ; ) {
    const page = await outbox.open(statuses, PAGE, { only: [MINT], after })
    found.push(...page.filter((intent) => isConsentOf(intent, owner)))
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return found
    after = last.id
  }
}

const MINT = 'identity.mint' satisfies IntentKind

function isConsentOf(intent: Intent, owner: string): boolean {
  const mint = INTENT_PAYLOADS[MINT].safeParse(intent.payload)
  if (!mint.success || mint.data.consent === null || mint.data.owner === null) return false
  return isSameHex(mint.data.owner, owner)
}
