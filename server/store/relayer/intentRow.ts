export type IntentStatus = 'queued' | 'signed' | 'sent' | 'mined' | 'confirmed' | 'failed'

/** An order to put something on chain, and its progress. */
export type Intent = {
  id: number
  idempotencyKey: string
  kind: string
  payload: unknown
  /** The user without a verified identity whose agent it is for, at whose share of the gas; null for all others. */
  strangerId: string | null
  /** The user on whose behalf it is, and the network from which they asked for it; null if it counts for nobody. */
  accountId: string | null
  network: string | null
  status: IntentStatus
  /** Account whose nonce is reserved; null while queued. */
  sender: string | null
  nonce: number | null
  /** Number of nonces reserved so far, as far as known; 0 only if none was. */
  attempts: number
  /** The result that the handler read when it was mined. */
  result: unknown
  lastError: string | null
  nextAttemptAt: number
  minedHash: string | null
  minedBlock: number | null
  minedBlockHash: string | null
  /** Time of the first request; epoch milliseconds. */
  createdAt: number
  /** Whether it is finished: confirmed and reported, or failed. */
  isSettled: boolean
}

/** For whom an order counts, as in `Intent`; null by default. */
type Payer = Partial<Pick<Intent, 'strangerId' | 'accountId' | 'network'>>

/** A new order. */
export type NewIntent = Payer & {
  idempotencyKey: string
  kind: string
  payload: object
  /** Id of the intent that it follows, whose trace it continues; by default, it belongs to the span of the transaction. */
  follows?: number
  now: number
}

export const INTENT_COLUMNS = [
  'id',
  'idempotency_key',
  'kind',
  'payload',
  'stranger_id',
  'account_id',
  'network',
  'status',
  'sender',
  'nonce',
  'attempts',
  'result',
  'last_error',
  'next_attempt_at',
  'mined_hash',
  'mined_block',
  'mined_block_hash',
  'created_at',
  'settled_at',
] as const

/** Columns of a new intent. */
export function buildIntentColumns({ idempotencyKey, kind, payload, now, ...payer }: NewIntent) {
  return {
    idempotency_key: idempotencyKey,
    kind,
    payload: JSON.stringify(payload),
    stranger_id: payer.strangerId ?? null,
    account_id: payer.accountId ?? null,
    network: payer.network ?? null,
    status: 'queued',
    attempts: 0,
    next_attempt_at: now,
    created_at: now,
    updated_at: now,
  }
}

/** Reads an intent from its row of `INTENT_COLUMNS`. */
export function intentOf(row: Record<(typeof INTENT_COLUMNS)[number], unknown>): Intent {
  return {
    id: Number(row.id),
    idempotencyKey: String(row.idempotency_key),
    kind: String(row.kind),
    payload: JSON.parse(String(row.payload)),
    strangerId: textOf(row.stranger_id),
    accountId: textOf(row.account_id),
    network: textOf(row.network),
    status: row.status as IntentStatus,
    sender: textOf(row.sender),
    nonce: numberOf(row.nonce),
    attempts: Number(row.attempts),
    result: row.result === null ? null : JSON.parse(String(row.result)),
    lastError: textOf(row.last_error),
    nextAttemptAt: Number(row.next_attempt_at),
    minedHash: textOf(row.mined_hash),
    minedBlock: numberOf(row.mined_block),
    minedBlockHash: textOf(row.mined_block_hash),
    createdAt: Number(row.created_at),
    isSettled: row.settled_at !== null,
  }
}

function textOf(value: unknown): string | null {
  return value === null ? null : String(value)
}

function numberOf(value: unknown): number | null {
  return value === null ? null : Number(value)
}
