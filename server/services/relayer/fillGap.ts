import type { Hex } from '../../chain/chainTypes.ts'
import { intentKey } from './intents.ts'
import type { RelayerDeps } from './relayerDeps.ts'
import type { Round } from './startRound.ts'

/**
 * Closes a nonce gap below the transactions in flight, which no node mines until it is closed.
 *
 * The gap is either one of our own transactions, recorded as done and undone by a reorganisation, which is resent
 * unchanged, or a nonce that someone else used and lost, which gets an empty transaction.
 *
 * @returns 1 if it acted on a gap, otherwise 0, also while an intent to fill the gap is waiting.
 */
export async function fillGap(deps: RelayerDeps, round: Round): Promise<number> {
  const { outbox, transactions } = deps.stores
  const sender = deps.chain.relayerAddress
  const inFlight = (await outbox.open(['signed', 'sent'], 100)).filter((intent) => intent.sender === sender)
  const nonces = inFlight.flatMap((intent) => (intent.nonce === null ? [] : [intent.nonce]))
  if (nonces.length === 0 || Math.min(...nonces) <= round.nextNonce) return 0
  const lost = await transactions.atNonce(sender, round.nextNonce)
  if (lost === null) {
    const idempotencyKey = intentKey.fill(sender, round.nextNonce)
    const existing = await outbox.byKey(idempotencyKey)
    if (existing !== null && !existing.isSettled) return 0
    const now = deps.clock()
    // A settled intent for this gap is queued again, because it may have got another nonce.
    await deps.whileLeaseHeld((trx) =>
      outbox.addAgain(trx, {
        idempotencyKey,
        kind: 'nonce.fill',
        payload: { nonce: round.nextNonce },
        now,
      }),
    )
    return 1
  }
  if (deps.clock() - (lost.sentAt ?? 0) < deps.policy.resendMs) return 0
  deps.log.warn(
    { nonce: lost.nonce, hash: lost.hash },
    'resending a final transaction that the chain has lost',
  )
  await deps.chain.send(lost.raw as Hex)
  await deps.whileLeaseHeld((trx) => transactions.markSent(trx, lost.hash, deps.clock()))
  return 1
}
