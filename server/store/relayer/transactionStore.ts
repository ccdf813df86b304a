import type { Knex } from 'knex'

/** A signed transaction that may have been sent; stored before it is first sent. */
export type SignedTransaction = {
  hash: string
  sender: string
  nonce: number
  raw: string
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
  /** Its maximum cost in gwei until it is mined, then its actual cost. */
  costGwei: number
  signedAt: number
  sentAt: number | null
}

/** A transaction with the intent for which it was signed. */
export type StoredTransaction = SignedTransaction & { intentId: number }

const TRANSACTION_COLUMNS = [
  'hash',
  'intent_id',
  'sender',
  'nonce',
  'raw',
  'max_fee_per_gas',
  'max_priority_fee_per_gas',
  'cost_gwei',
  'signed_at',
  'sent_at',
] as const

/** The account or network for which transactions were sent. */
type Payer = { 'intent.account_id': string } | { 'intent.network': string }

export type TransactionStore = ReturnType<typeof createTransactionStore>

/**
 * All transactions that the relayer ever signed, raw, so that they can be sent again and looked up, whatever a node has
 * forgotten.
 */
export function createTransactionStore(query: Knex) {
  return {
    /** Stores a transaction before it is sent for the first time. */
    async insert(trx: Knex.Transaction, intentId: number, signed: SignedTransaction): Promise<void> {
      await trx('relayer_transactions').insert({
        hash: signed.hash,
        intent_id: intentId,
        sender: signed.sender,
        nonce: signed.nonce,
        raw: signed.raw,
        max_fee_per_gas: String(signed.maxFeePerGas),
        max_priority_fee_per_gas: String(signed.maxPriorityFeePerGas),
        cost_gwei: signed.costGwei,
        signed_at: signed.signedAt,
        sent_at: signed.sentAt,
      })
    },

    /** Records that a node accepted it. */
    async markSent(trx: Knex.Transaction, hash: string, now: number): Promise<void> {
      await trx('relayer_transactions').where({ hash }).update({ sent_at: now })
    },

    /** Stores the actual cost of a nonce once one of its transactions is mined and the others never will be. */
    async settleCost(
      trx: Knex.Transaction,
      mined: { sender: string; nonce: number; costGwei: number },
    ): Promise<void> {
      await trx('relayer_transactions')
        .where({ sender: mined.sender, nonce: mined.nonce })
        .update({ cost_gwei: mined.costGwei })
    },

    /** Transactions signed for an intent under one nonce, newest first. */
    async ofIntent(intentId: number, nonce: number): Promise<StoredTransaction[]> {
      const rows = await query('relayer_transactions')
        .select(TRANSACTION_COLUMNS)
        .where({ intent_id: intentId, nonce })
        .orderBy('signed_at', 'desc')
        .orderBy('cost_gwei', 'desc')
      return rows.map(transactionOf)
    },

    /** Hashes of all transactions of these intents under their present nonces. */
    async hashesOf(intentIds: readonly number[]): Promise<string[]> {
      const rows = await query('relayer_transactions')
        .select({ hash: 'relayer_transactions.hash' })
        .join('relayer_intents', { 'relayer_intents.id': 'relayer_transactions.intent_id' })
        .whereIn('relayer_transactions.intent_id', [...intentIds])
        .whereRaw('relayer_transactions.nonce = relayer_intents.nonce')
      return rows.map(({ hash }) => hash)
    },

    /** The newest transaction signed under a nonce, for any intent. */
    async atNonce(sender: string, nonce: number): Promise<StoredTransaction | null> {
      const row = await query('relayer_transactions')
        .select(TRANSACTION_COLUMNS)
        .where({ sender, nonce })
        .orderBy('signed_at', 'desc')
        .orderBy('cost_gwei', 'desc')
        .first()
      return row ? transactionOf(row) : null
    },

    /** Nonces at or above `from` that were ever used for signing, in order. */
    async noncesFrom(sender: string, from: number): Promise<number[]> {
      const rows = await query('relayer_transactions')
        .distinct('nonce')
        .where({ sender })
        .andWhere('nonce', '>=', from)
        .orderBy('nonce')
      return rows.map((row) => Number(row.nonce))
    },

    /** One above the highest nonce ever used for signing; 0 for none. */
    async nextNonceOf(sender: string): Promise<number> {
      const row = await query('relayer_transactions').max({ nonce: 'nonce' }).where({ sender }).first()
      return row?.nonce === null || row?.nonce === undefined ? 0 : Number(row.nonce) + 1
    },

    /**
     * The actual or maximum cost, in gwei, of the transactions signed since then: the most expensive one per nonce. Intents
     * of some kinds, or of all but strangers, an account or a network, can be excluded.
     */
    async costSince(
      since: number,
      {
        exceptKinds = [],
        forStrangers = false,
        payer,
      }: { exceptKinds?: readonly string[]; forStrangers?: boolean; payer?: Payer } = {},
    ): Promise<number> {
      const perNonce = query('relayer_transactions as signed')
        .max({ cost: 'signed.cost_gwei' })
        .where('signed.signed_at', '>=', since)
        .modify((builder) => {
          if (exceptKinds.length === 0 && !forStrangers && payer === undefined) return
          builder
            .join('relayer_intents as intent', 'intent.id', 'signed.intent_id')
            .whereNotIn('intent.kind', [...exceptKinds])
          if (forStrangers) builder.whereNotNull('intent.stranger_id')
          if (payer !== undefined) builder.where(payer)
        })
        // Not by the bare column, or the database would walk its index in order from the first transaction on.
        .groupByRaw(`signed.sender || '', signed.nonce`)
        .as('per_nonce')
      const row = await query.from(perNonce).sum({ total: 'cost' }).first()
      return Number(row?.total ?? 0)
    },

    /** Deletes all transactions, because their chain is gone. */
    async clear(trx: Knex.Transaction): Promise<void> {
      await trx('relayer_transactions').delete()
    },
  }
}

function transactionOf(row: Record<(typeof TRANSACTION_COLUMNS)[number], unknown>): StoredTransaction {
  return {
    hash: String(row.hash),
    intentId: Number(row.intent_id),
    sender: String(row.sender),
    nonce: Number(row.nonce),
    raw: String(row.raw),
    maxFeePerGas: BigInt(String(row.max_fee_per_gas)),
    maxPriorityFeePerGas: BigInt(String(row.max_priority_fee_per_gas)),
    costGwei: Number(row.cost_gwei),
    signedAt: Number(row.signed_at),
    sentAt: row.sent_at === null ? null : Number(row.sent_at),
  }
}
