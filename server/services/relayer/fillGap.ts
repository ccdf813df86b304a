import type { Hex } from '../../chain/chainTypes.ts'
import { intentKey } from './intents.ts'
import type { RelayerDeps } from './relayerDeps.ts'
import { replaceTransaction } from './replaceTransaction.ts'
import type { AccountNonces, Round } from './startRound.ts'

/**
 * Closes a nonce gap below the transactions in flight of each account, which no node mines until it is closed.
 *
 * The gap is either one of our own transactions, recorded as done and undone by a reorganisation, which is sent again, or a
 * nonce that someone else used and lost, which gets an empty transaction. Fees may have risen since the transaction was
 * signed, so it gets higher ones under the same conditions as one that was never mined.
 *
 * @returns How many gaps it acted on; a gap whose intent is already waiting does not count.
 */
export async function fillGap(deps: RelayerDeps, round: Round): Promise<number> {
  const inFlight = await deps.stores.outbox.open(['signed', 'sent'], 100)
  let filled = 0
  for (const account of [round, ...round.others]) {
    const nonces = inFlight.flatMap(({ sender, nonce }) =>
      sender === account.sender && nonce !== null ? [nonce] : [],
    )
    if (nonces.length > 0 && Math.min(...nonces) > account.nextNonce)
      filled += await fill(deps, round, account)
  }
  return filled
}

async function fill(
  deps: RelayerDeps,
  round: Round,
  { sender, nextNonce: nonce }: AccountNonces,
): Promise<number> {
  const { outbox, transactions } = deps.stores
  const lost = await transactions.atNonce(sender, nonce)
  if (lost === null) {
    const idempotencyKey = intentKey.fill(sender, nonce)
    const existing = await outbox.byKey(idempotencyKey)
    if (existing !== null && !existing.isSettled) return 0
    const now = deps.clock()
    const payload = { nonce, sender }
    // A settled intent for this gap is queued again, because it may have got another nonce.
    await deps.whileLeaseHeld((trx) =>
      outbox.addAgain(trx, { idempotencyKey, kind: 'nonce.fill', payload, now }),
    )
    return 1
  }
  if (deps.clock() - (lost.sentAt ?? 0) < deps.policy.resendMs) return 0
  const replacement = await replaceTransaction(deps, round, lost)
  const { raw, hash } = replacement === null || typeof replacement === 'string' ? lost : replacement
  const problem = typeof replacement === 'string' ? { problem: replacement } : {}
  deps.log.warn({ nonce, hash, ...problem }, 'resending a final transaction that the chain has lost')
  await deps.chain.send(raw as Hex)
  await deps.whileLeaseHeld((trx) => transactions.markSent(trx, hash, deps.clock()))
  return 1
}
