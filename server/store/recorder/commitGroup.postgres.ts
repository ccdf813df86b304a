import type { Client, QueryConfig } from 'pg'
import { COMMIT, PROBE, ROOM_PROBE } from '../database/commits.ts'
import type { DatabaseFeatures } from '../database/databaseFeatures.ts'
import { type GroupFacts, readGroupFacts } from './groupFacts.postgres.ts'
import { buildGroupStatements } from './groupWrites.postgres.ts'
import { buildOriginStatements } from './originWrites.postgres.ts'
import { buildReceiptStatements } from './receiptWrites.postgres.ts'
import type { Commitment, RecordIntent } from './recorder.ts'
import { lostClaimError, NO_COUNTERS, NO_USES, sealUseCaseAnswer } from './recorder.ts'

type Outcome = { result: unknown } | { error: unknown }
type Prepared = Pick<RecordIntent<unknown>, 'claimId' | 'traceParent'> & {
  commitment: Commitment<unknown>
  kept: string | null
}
type Decided = Prepared | { error: unknown }

const BEGIN: QueryConfig = { text: 'BEGIN' }

/**
 * Decides and records a group of outcomes in one transaction; what it returns is on disk.
 *
 * Outcomes that need no counters are decided before the transaction begins. The others are decided in order inside it,
 * under locks on the counters they need, and each sees the effects of those before it. Groups that share no counter, also
 * those of other processes, wait for nothing of each other: their records get places in the log after the commit. Where
 * the database has one write-ahead log, a group with counters ends its locks before the sync, so that the next one with the
 * same counters computes while the disk writes. What that one sees may not be on disk yet, but its own commit comes later in
 * that log: a crash never leaves the second group without the first.
 *
 * @param probesRoom Whether the probe in the group has to show that there is room for further decisions.
 * @returns For each intent its result, or why its own decision failed while the others are recorded.
 * @throws The error of PostgreSQL or the connection; whether anything was stored is then unknown.
 */
export async function commitGroup(
  client: Client,
  intents: readonly RecordIntent<unknown>[],
  { locks, commits }: Pick<DatabaseFeatures, 'locks' | 'commits'>,
  probesRoom = false,
): Promise<Outcome[]> {
  const asking = intents.filter(needsDatabase)
  const facts = asking.length > 0 ? await beginAndReadFacts(client, asking, locks) : null
  const decided = intents.map((intent) => decide(intent, facts))
  const made = decided.flatMap((one) => ('commitment' in one ? [one] : []))
  const probes = !intents.some(({ isProbe }) => isProbe) ? [] : probesRoom ? [...ROOM_PROBE, PROBE] : [PROBE]
  const ends = facts === null ? [COMMIT] : commits.releasing
  if (facts !== null || probes.length > 0 || made.some(hasRecords))
    await write(client, made, facts, { probes, ends })
  return decided.map((one) => ('error' in one ? one : { result: one.commitment.result }))
}

function hasRecords({ commitment }: Prepared): boolean {
  return commitment.records.length > 0
}

function needsDatabase({ counters, approval, proofs, claimId }: RecordIntent<unknown>): boolean {
  return counters !== null || approval !== null || proofs !== undefined || claimId !== undefined
}

async function beginAndReadFacts(
  client: Client,
  asking: readonly RecordIntent<unknown>[],
  locks: DatabaseFeatures['locks'],
): Promise<GroupFacts> {
  const [, facts] = await Promise.all([client.query(BEGIN), readGroupFacts(client, asking, locks)])
  return facts
}

/** A decision that throws is a defect of that request only; the others of its group still commit. */
function decide(intent: RecordIntent<unknown>, facts: GroupFacts | null): Decided {
  const { counters, approval, proofs, claimId, traceParent } = intent
  try {
    if (claimId !== undefined && !facts?.holdsClaim(claimId)) throw lostClaimError()
    const commitment = intent.decide(
      counters === null || facts === null ? NO_COUNTERS : facts.readCounters(counters),
      approval === null || facts === null ? null : facts.readApproval(approval),
      proofs === undefined || facts === null ? NO_USES : facts.earlierUses,
    )
    if (facts !== null) facts.apply(commitment)
    else if (commitment.grants.length > 0) throw new Error('a grant counts under a scope that was not read')
    return { commitment, claimId, traceParent, kept: sealUseCaseAnswer(intent, commitment) }
  } catch (error) {
    return { error }
  }
}

async function write(
  client: Client,
  made: readonly Prepared[],
  facts: GroupFacts | null,
  { probes, ends }: Record<'probes' | 'ends', readonly QueryConfig[]>,
): Promise<void> {
  const commitments = made.map(({ commitment }) => commitment)
  const opening = facts === null ? [BEGIN] : claimStatements(made)
  const rows = buildGroupStatements(commitments, facts?.grants ?? null)
  const origins = buildOriginStatements(made)
  const writes = [...opening, ...buildReceiptStatements(commitments), ...rows, ...origins, ...probes]
  const answers = await Promise.all([...writes, ...ends].map((one) => client.query(one)))
  const command = answers[writes.length + ends.indexOf(COMMIT)]?.command
  if (command !== 'COMMIT') throw new Error(`PostgreSQL answered COMMIT with ${command}`)
}

/** A denial that writes nothing leaves its Idempotency-Key unused. */
function claimStatements(made: readonly Prepared[]): QueryConfig[] {
  const marked = made.filter((one) => hasRecords(one) && one.claimId !== undefined)
  if (marked.length === 0) return []
  const values = [marked.map(({ claimId }) => claimId), marked.map(({ kept }) => kept)]
  return [{ name: 'mark_claims', text: MARK_CLAIMS, values }]
}

const MARK_CLAIMS = `UPDATE idempotency_keys AS k SET state = 'applied', kept = coalesce(m.kept, k.kept)
  FROM unnest($1::text[], $2::text[]) AS m (claim_id, kept) WHERE k.claim_id = m.claim_id`
