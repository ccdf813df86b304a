import type { Hex } from '../../chain/chainTypes.ts'
import { intentKey } from './intents.ts'
import type { RelayerDeps } from './relayerDeps.ts'
import type { Round } from './round.ts'

/**
 * Closes a hole below the nonces that are on their way, which no node would mine without it.
 *
 * The hole is either a transaction of ours that is recorded as done and that a reorganisation took away, which is
 * sent again as it is, or a nonce somebody else used and lost, which gets an empty transaction.
 * Source: onchain.md "Relayer" ("a gap is filled").
 *
 * @returns How many holes were dealt with: 0 or 1; 0 while one that is asked for waits to be filled.
 */
export async function fillGap(deps: RelayerDeps, round: Round): Promise<number> {
  const { outbox, transactions } = deps.stores
  const sender = deps.chain.relayerAddress
  const onTheirWay = (await outbox.open(['signed', 'sent'], 100)).filter((intent) => intent.sender === sender)
  const nonces = onTheirWay.flatMap((intent) => (intent.nonce === null ? [] : [intent.nonce]))
  if (nonces.length === 0 || Math.min(...nonces) <= round.nextNonce) return 0
  const lost = await transactions.atNonce(sender, round.nextNonce)
  if (lost === null) {
    const idempotencyKey = intentKey.fill(sender, round.nextNonce)
    const asked = await outbox.byKey(idempotencyKey)
    if (asked !== null && !asked.isSettled) return 0
    const now = deps.clock()
    // Again, because one that was asked for before may have got another nonce.
    await deps.fenced((trx) =>
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
  deps.log.warn({ nonce: lost.nonce, hash: lost.hash }, 'sending a transaction that was final again')
  await deps.chain.send(lost.raw as Hex)
  await deps.fenced((trx) => transactions.markSent(trx, lost.hash, deps.clock()))
  return 1
}
