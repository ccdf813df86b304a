export type IntentStatus = 'queued' | 'signed' | 'sent' | 'mined' | 'confirmed' | 'failed'

/** One thing to put on chain, and how far it is. */
export type Intent = {
  id: number
  idempotencyKey: string
  kind: string
  payload: unknown
  status: IntentStatus
  /** Account whose nonce is reserved; null while queued. */
  sender: string | null
  nonce: number | null
  /** Nonces that were reserved for it so far, as far as is known; 0 only when none was. */
  attempts: number
  /** What the handler learnt when it was mined. */
  result: unknown
  lastError: string | null
  nextAttemptAt: number
  minedHash: string | null
  minedBlock: number | null
  minedBlockHash: string | null
  /** When it was first asked for; epoch milliseconds. */
  createdAt: number
  /** Nothing more is to be done: confirmed and told, or failed. */
  isSettled: boolean
}

/** What is asked for. */
export type NewIntent = { idempotencyKey: string; kind: string; payload: object; now: number }

export const INTENT_COLUMNS = [
  'id',
  'idempotency_key',
  'kind',
  'payload',
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

/** Columns of an intent that is asked for. */
export function buildIntentColumns({ idempotencyKey, kind, payload, now }: NewIntent) {
  return {
    idempotency_key: idempotencyKey,
    kind,
    payload: JSON.stringify(payload),
    status: 'queued',
    attempts: 0,
    next_attempt_at: now,
    created_at: now,
    updated_at: now,
  }
}

/** An intent as its row, of `INTENT_COLUMNS`, has it. */
export function intentOf(row: Record<(typeof INTENT_COLUMNS)[number], unknown>): Intent {
  return {
    id: Number(row.id),
    idempotencyKey: String(row.idempotency_key),
    kind: String(row.kind),
    payload: JSON.parse(String(row.payload)),
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
