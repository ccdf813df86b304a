import type { Hex, Receipt, SendResult } from '../../../../server/chain/chainTypes.ts'
import type { IntentHandler } from '../../../../server/services/relayer/intentHandler.ts'
import type { RelayerDeps, RelayerPolicy } from '../../../../server/services/relayer/relayerDeps.ts'
import type { Round } from '../../../../server/services/relayer/startRound.ts'
import { createOutboxStore } from '../../../../server/store/relayer/outboxStore.ts'
import {
  createTransactionStore,
  type SignedTransaction,
} from '../../../../server/store/relayer/transactionStore.ts'
import { openTemporaryDatabase } from '../../../harness/database/openTemporaryDatabase.ts'

export const NOW = 1_900_000_000_000
export const ME = `0x${'1'.repeat(40)}` as const
export const OTHER = `0x${'2'.repeat(40)}` as const
export const HEAD = { number: 10, hash: '0xhead' as Hex, timestamp: 0, baseFeePerGas: 1n }

/** A handler that defers everything. */
export const IDLE: IntentHandler = { prepare: async () => ({ next: 'wait', why: '', retryMs: 0 }) }

export type Outbox = Awaited<ReturnType<typeof openOutbox>>

/**
 * A real outbox whose rows the test inserts itself, with a node whose responses the test sets: for states that no real
 * chain can be brought into at will.
 */
export async function openOutbox() {
  const { db, remove } = await openTemporaryDatabase()
  const stores = { outbox: createOutboxStore(db.query), transactions: createTransactionStore(db.query) }
  const logged: { level: string; text: string; fields: object }[] = []
  /** Requests to the node, in order. */
  const asked: string[] = []
  const sent: Hex[] = []
  /** Accounts whose keys signed replacements. */
  const signers: Hex[] = []
  const blocks = new Map<number, Hex>()
  const receipts = new Map<string, Receipt>()
  const counts = new Map<string, number>()
  const node = { answer: { outcome: 'accepted' } as SendResult, gasAgain: 1n }
  const clock = { now: NOW }
  let rows = 0

  const chain = {
    relayerAddress: ME,
    relayers: [ME],
    async readBlockHash(number: number) {
      asked.push(`blockHash ${number}`)
      return blocks.get(number) ?? null
    },
    readReceipt: async (hash: Hex) => receipts.get(hash) ?? null,
    async readTransactionCount(address: Hex, block: number) {
      asked.push(`transactionCount ${address} ${block}`)
      return counts.get(address) ?? 0
    },
    async send(raw: Hex) {
      sent.push(raw)
      return node.answer
    },
    sign: async (_call: unknown, { nonce }: { nonce: number }) => ({
      hash: `0xsigned${nonce}`,
      raw: `0xraw${nonce}`,
    }),
    async signWithFees(raw: Hex, _fees: unknown, from: Hex) {
      signers.push(from)
      return { hash: `${raw}again`, raw: `${raw}again`, gas: node.gasAgain }
    },
    signEmpty: async (raw: Hex) => ({ hash: `${raw}empty`, raw: `${raw}empty`, gas: node.gasAgain }),
    isEmpty: (raw: Hex) => raw.includes('empty'),
  } as unknown as RelayerDeps['chain']
  const logAs = (level: string) => (fields: object, text: string) => void logged.push({ level, text, fields })

  return {
    db,
    stores,
    logged,
    asked,
    sent,
    signers,
    blocks,
    receipts,
    counts,
    node,
    clock,
    remove,

    /** A relayer whose handlers do nothing, except the given ones. */
    deps(
      handlers: Partial<Record<string, IntentHandler>> = {},
      changes: Partial<RelayerPolicy> = {},
    ): RelayerDeps {
      const policy = {
        confirmations: 1,
        maxFeePerGas: 100n,
        dailyBudgetGwei: null,
        accountShare: 1,
        networkShare: 1,
        resendMs: 1_000,
      }
      return {
        stores,
        whileLeaseHeld: (work) => db.transaction(work),
        chain,
        handlers: { 'nonce.fill': IDLE, 'audit.anchor': IDLE, ...handlers } as RelayerDeps['handlers'],
        policy: { ...policy, replaceMs: 5_000, ...changes },
        clock: () => clock.now,
        log: { info: logAs('info'), warn: logAs('warn') },
      }
    },

    round(changes: Partial<Round> = {}): Round {
      const deployment = { chainId: 1 } as Round['deployment']
      return {
        deployment,
        head: HEAD,
        ...{ sender: ME, others: [], nextNonce: 5 },
        finalBlock: 10,
        finalNonce: 5,
        blockHashes: new Map(),
        receipts: new Map(),
        market: { baseFee: 1n, tip: 0n, cap: 100n },
        context: { deployment, relayer: ME, headBlock: HEAD.number, mustSearch: false, now: NOW },
        ...changes,
      }
    },

    /** Inserts a row, queued by default, and returns its key. */
    async put(columns: Record<string, unknown> = {}): Promise<string> {
      rows += 1
      const key = `key:${rows}`
      await db.query('relayer_intents').insert({
        idempotency_key: key,
        kind: 'nonce.fill',
        payload: '{}',
        status: 'queued',
        next_attempt_at: NOW,
        created_at: NOW,
        updated_at: NOW,
        ...columns,
      })
      return key
    },

    /** Inserts a transaction of a row, signed and just sent by default. */
    async putTransaction(key: string, columns: Partial<SignedTransaction> = {}): Promise<void> {
      const intent = await stores.outbox.byKey(key)
      const signed = {
        hash: `0xhash${key}`,
        sender: ME,
        nonce: intent?.nonce ?? 0,
        raw: `0xraw${key}`,
        maxFeePerGas: 8n,
        maxPriorityFeePerGas: 0n,
        costGwei: 1,
        signedAt: clock.now,
        sentAt: clock.now,
        ...columns,
      }
      await db.transaction((trx) => stores.transactions.insert(trx, intent?.id ?? 0, signed))
    },

    async row(key: string) {
      const intent = await stores.outbox.byKey(key)
      if (intent === null) throw new Error(`no row ${key}`)
      return intent
    },

    /** Deletes everything, for the next test. */
    async clear(): Promise<void> {
      await db.transaction(async (trx) => {
        await stores.transactions.clear(trx)
        await stores.outbox.clear(trx)
      })
      for (const list of [logged, asked, sent]) list.length = 0
      for (const map of [blocks, receipts, counts]) map.clear()
      Object.assign(node, { answer: { outcome: 'accepted' }, gasAgain: 1n })
      clock.now = NOW
    },
  }
}
