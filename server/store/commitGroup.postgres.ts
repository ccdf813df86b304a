import type { Client } from 'pg'
import { claimLost } from './claimLost.ts'
import { type GroupFacts, readGroupFacts } from './groupFacts.postgres.ts'
import { writeGroup } from './groupWrites.postgres.ts'
import { POSTGRES_LOCKS } from './postgresLocks.ts'
import type { Commitment, CounterValues, RecordIntent } from './recorder.ts'

type Outcome = { result: unknown } | { error: unknown }
type Decided = { commitment: Commitment<unknown> } | { error: unknown }

const NO_COUNTERS: CounterValues = {
  agentGrants: null,
  endpointGrants: null,
  agentSubAgents: null,
  endpointSubAgents: null,
  cumulativeSpend: null,
}

/**
 * Decides and records a group of outcomes in one transaction; what it answers is on disk.
 *
 * An outcome that asks for no counter is decided before the transaction begins. The others are decided in order inside
 * it, under locks on what they ask for, each of them seeing what those before it have done. The lock of the log comes
 * last and is held for two round trips and the sync.
 *
 * @returns For each intent its result, or why its own decision failed while the rest is recorded.
 * @throws What PostgreSQL or the connection says; then nothing is known to be stored.
 */
export async function commitGroup(
  client: Client,
  intents: readonly RecordIntent<unknown>[],
): Promise<Outcome[]> {
  const asking = intents.filter(asksTheDatabase)
  const facts = asking.length > 0 ? await begin(client, asking) : null
  const decided = intents.map((intent) => decide(intent, facts))
  const commitments = decided.flatMap((one) => ('commitment' in one ? [one.commitment] : []))
  if (facts !== null || commitments.some(({ records }) => records.length > 0)) {
    await write(client, commitments, facts)
  }
  return decided.map((one) => ('error' in one ? one : { result: one.commitment.result }))
}

function asksTheDatabase({ counters, approval, claimId }: RecordIntent<unknown>): boolean {
  return counters !== null || approval !== null || claimId !== undefined
}

async function begin(client: Client, asking: readonly RecordIntent<unknown>[]): Promise<GroupFacts> {
  const [, facts] = await Promise.all([client.query('BEGIN'), readGroupFacts(client, asking)])
  return facts
}

/** A decision that throws is a defect of that one request; the others of its group still commit. */
function decide(intent: RecordIntent<unknown>, facts: GroupFacts | null): Decided {
  const { counters, approval, claimId } = intent
  try {
    if (claimId !== undefined && !facts?.holdsClaim(claimId)) throw claimLost()
    const commitment = intent.decide(
      counters === null || facts === null ? NO_COUNTERS : facts.counters(counters),
      approval === null || facts === null ? null : facts.approval(approval),
    )
    if (facts !== null) facts.apply(commitment)
    else if (commitment.grants.length > 0) throw new Error('a grant counts under a scope nobody asked for')
    return { commitment }
  } catch (error) {
    return { error }
  }
}

async function write(
  client: Client,
  commitments: readonly Commitment<unknown>[],
  facts: GroupFacts | null,
): Promise<void> {
  // The place is read by a statement of its own, whose snapshot is taken when the lock is held.
  const [, , next] = await Promise.all([
    facts === null ? client.query('BEGIN') : null,
    client.query({ name: 'lock_log', text: `SELECT pg_advisory_xact_lock(${POSTGRES_LOCKS.log})` }),
    client.query<{ seq: number }>({
      name: 'next_seq',
      text: 'SELECT COALESCE(MAX(seq) + 1, 0) AS seq FROM audit_records',
    }),
  ])
  const writes = writeGroup(client, commitments, facts?.grants ?? null, next.rows[0]?.seq ?? 0)
  const [committed] = await Promise.all([client.query('COMMIT'), ...writes])
  if (committed.command !== 'COMMIT') throw new Error(`PostgreSQL answered COMMIT with ${committed.command}`)
}
