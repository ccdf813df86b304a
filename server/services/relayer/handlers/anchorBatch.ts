import { LOGS_MAX } from '@svc/core/audit/chooseLog.ts'
import type { ChainClient } from '../../../chain/chainClient.ts'
import type { AnchorStore } from '../../../store/audit/anchorStore.ts'
import type { LogStore } from '../../../store/audit/logStore.ts'
import type { Intent } from '../../../store/relayer/intentRow.ts'
import type { OutboxStore } from '../../../store/relayer/outboxStore.ts'
import type { IntentHandler } from '../intentHandler.ts'
import { INTENT_PAYLOADS, type IntentKind } from '../intents.ts'
import { findBlocksSince } from './findBlocksSince.ts'
import { isOfLog } from './handOverLog.ts'

/** How long to wait before retrying after a refusal that only people can resolve. */
const REFUSED_RETRY_MS = 60_000

type AnchorBatchDeps = {
  chain: ChainClient
  /** Opens the batches of a log. */
  anchorsOf: (log: number) => AnchorStore
  /** Reads the id of a log besides the first. */
  logs: Pick<LogStore, 'idOf'>
  outbox: Pick<OutboxStore, 'open'>
}

/** Intents that change who may anchor. */
const HAND_OVER: readonly IntentKind[] = ['audit.offer', 'audit.accept']

/**
 * `audit.anchor`: anchors the next batch of an audit log.
 *
 * The contract accepts each batch once and in order. A refusal for a stale head therefore means that the batch has been
 * anchored already, which the chain's events show, or that the previous batch is still pending. The intent never fails,
 * because every later batch builds on it. It waits while the log is handed over to another account, because it would
 * otherwise be mined after the hand-over and refused.
 */
export function anchorBatch({ chain, anchorsOf, logs, outbox }: AnchorBatchDeps): IntentHandler {
  return {
    isOrdered: true,
    orderOf: (intent) => `${intent.kind} ${batchOf(intent).log}`,

    async prepare(intent, context) {
      const { log, batch } = batchOf(intent)
      const row = await anchorsOf(log).byNumber(batch)
      const { auditLog } = context.deployment
      const logId = log === 0 ? context.deployment.logId : await logs.idOf(log)
      if (row === null || logId === null) return { next: 'fail', why: `batch ${batch} is not sealed` }
      const data = chain.auditLog.encodeAnchor({ logId, ...row })
      if (chain.relayers.length > 1) {
        const handOvers = await outbox.open(['signed', 'sent'], 2 * LOGS_MAX, { only: HAND_OVER })
        if (handOvers.some((handOver) => isOfLog(handOver, log)))
          return { next: 'wait', why: 'the log is being handed over', retryMs: 0 }
      }
      const simulated = await chain.simulate({ to: auditLog, data }, context.relayer)
      if ('gas' in simulated) return { next: 'send', call: { to: auditLog, data }, gas: simulated.gas }
      if (log > 0 && (await chain.auditLog.readHead(auditLog, logId)).operator === null)
        return { next: 'wait', why: `log ${log} is not open yet`, retryMs: 0 }
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

    whenMined(trx, { intent, place }) {
      const { log, batch } = batchOf(intent)
      return anchorsOf(log).markAnchored(trx, batch, place)
    },

    whenUnmined(trx, intent) {
      const { log, batch } = batchOf(intent)
      return anchorsOf(log).markSealed(trx, batch)
    },

    whenConfirmed(trx, { intent, place }, { now }) {
      const { log, batch } = batchOf(intent)
      return anchorsOf(log).markConfirmed(trx, batch, { ...place, confirmedAt: now })
    },
  }
}

function batchOf(intent: Intent): { log: number; batch: number } {
  return INTENT_PAYLOADS['audit.anchor'].parse(intent.payload)
}
