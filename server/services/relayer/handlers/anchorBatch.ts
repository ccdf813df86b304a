import type { ChainClient } from '../../../chain/chainClient.ts'
import type { AnchorStore } from '../../../store/audit/anchorStore.ts'
import type { Intent } from '../../../store/relayer/intentRow.ts'
import type { OutboxStore } from '../../../store/relayer/outboxStore.ts'
import type { IntentHandler } from '../intentHandler.ts'
import { INTENT_PAYLOADS, type IntentKind } from '../intents.ts'
import { findBlocksSince } from './findBlocksSince.ts'

/** How long to wait before retrying after a refusal that only people can resolve. */
const REFUSED_RETRY_MS = 60_000

type AnchorBatchDeps = { chain: ChainClient; anchors: AnchorStore; outbox: Pick<OutboxStore, 'open'> }

/** Intents that change who may anchor. */
const HAND_OVER: readonly IntentKind[] = ['audit.offer', 'audit.accept']

/**
 * `audit.anchor`: anchors the next batch of the audit log.
 *
 * The contract accepts each batch once and in order. A refusal for a stale head therefore means that the batch has been
 * anchored already, which the chain's events show, or that the previous batch is still pending. The intent never fails,
 * because every later batch builds on it. It waits while the log is handed over to another account, because it would
 * otherwise be mined after the hand-over and refused.
 */
export function anchorBatch({ chain, anchors, outbox }: AnchorBatchDeps): IntentHandler {
  return {
    isOrdered: true,

    async prepare(intent, context) {
      const batch = batchOf(intent)
      const row = await anchors.byNumber(batch)
      if (row === null) return { next: 'fail', why: `batch ${batch} is not sealed` }
      const { logId, auditLog } = context.deployment
      const data = chain.auditLog.encodeAnchor({ logId, ...row })
      if (chain.relayers.length > 1) {
        const [handOver] = await outbox.open(['signed', 'sent'], 1, { only: HAND_OVER })
        if (handOver) return { next: 'wait', why: 'the log is being handed over', retryMs: 0 }
      }
      const simulated = await chain.simulate({ to: auditLog, data }, context.relayer)
      if ('gas' in simulated) return { next: 'send', call: { to: auditLog, data }, gas: simulated.gas }
      if (simulated.refusal.name === 'NotOperator' && chain.relayers.length > 1) {
        return { next: 'wait', why: 'the log was handed over during this round', retryMs: 0 }
      }
      if (simulated.refusal.name !== 'StaleHead') {
        return { next: 'wait', why: simulated.refusal.message, retryMs: REFUSED_RETRY_MS }
      }
      const found = await chain.auditLog.findAnchor(
        auditLog,
        { logId, batch },
        await findBlocksSince(chain, intent, context),
      )
      if (found === null) return { next: 'wait', why: `batch ${batch - 1} is not anchored yet`, retryMs: 0 }
      if (found.root.toLowerCase() !== row.root.toLowerCase()) {
        const why = `batch ${batch} has root ${found.root} on chain, but ${row.root} in the database`
        return { next: 'wait', why, retryMs: REFUSED_RETRY_MS }
      }
      const { hash, block, blockHash } = found
      return { next: 'adopt', place: { hash, block, blockHash }, result: null }
    },

    whenMined: (trx, { intent, place }) => anchors.markAnchored(trx, batchOf(intent), place),

    whenUnmined: (trx, intent) => anchors.markSealed(trx, batchOf(intent)),

    whenConfirmed: (trx, { intent, place }, { now }) =>
      anchors.markConfirmed(trx, batchOf(intent), { ...place, confirmedAt: now }),
  }
}

function batchOf(intent: Intent): number {
  return INTENT_PAYLOADS['audit.anchor'].parse(intent.payload).batch
}
