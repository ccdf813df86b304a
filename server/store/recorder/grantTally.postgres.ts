import type { Client } from 'pg'
import type { Commitment, CounterQuery } from './recorder.ts'

type Grant = Commitment<unknown>['grants'][number]
/** A stored grant with its number in its scope. */
type NumberedGrant = { scope: string; grantedAt: number; ordinal: number }

export type GrantTally = {
  /** Counts the grants of the scope after `since` (epoch milliseconds), including those of this group. */
  count(scope: string, since: number): number
  add(grant: Grant): void
  /** Returns the grants of this group. */
  added(): readonly NumberedGrant[]
  /** Returns, for scopes whose clean-up is due, the time before which grants can be deleted. */
  forgettable(): ReadonlyMap<string, number>
}

type ScopeRow = {
  scope: string
  since: number
  newestAt: number | null
  newestOrdinal: number | null
  firstOrdinal: number | null
}

/** How many new grants of a scope there are per clean-up of old ones. */
const FORGET_EVERY = 64

const keyOf = (scope: string, since: number): string => `${since} ${scope}`

/**
 * Counts granted transactions in a sliding window like the SQLite recorder: grants of a scope are numbered, so the count is
 * the newest number minus the first number in the window, whatever the number of rows.
 *
 * It must run under the locks on the scopes.
 */
export async function readGrantTally(client: Client, queries: readonly CounterQuery[]): Promise<GrantTally> {
  const asked = queries.flatMap((query) => listScopes(query).map((scope) => ({ scope, since: query.since })))
  const rows = asked.length === 0 ? [] : await readScopes(client, asked)
  const firsts = new Map(rows.map((row) => [keyOf(row.scope, row.since), row.firstOrdinal]))
  const newest = new Map(
    rows.map(({ scope, newestAt, newestOrdinal }) => [
      scope,
      { grantedAt: newestAt ?? 0, ordinal: newestOrdinal ?? 0 },
    ]),
  )
  const added: NumberedGrant[] = []
  const forgettable = new Map<string, number>()
  return {
    count(scope, since) {
      const last = newest.get(scope)
      const stored = firsts.get(keyOf(scope, since))
      if (last === undefined || stored === undefined) throw new Error('a counter is needed that was not read')
      const first = stored ?? added.find((grant) => grant.scope === scope && grant.grantedAt > since)?.ordinal
      return first === undefined ? 0 : last.ordinal - first + 1
    },
    add({ scope, grantedAt, since }) {
      const last = newest.get(scope)
      if (last === undefined) throw new Error('a grant counts under a scope that was not read')
      const next = { grantedAt: Math.max(grantedAt, last.grantedAt), ordinal: last.ordinal + 1 }
      newest.set(scope, next)
      added.push({ scope, ...next })
      if (next.ordinal % FORGET_EVERY === 0) forgettable.set(scope, since)
    },
    added: () => added,
    forgettable: () => forgettable,
  }
}

/** Lists the scopes whose grants a decision counts. */
export function listScopes({
  agentScope,
  endpointScope,
  ancestorScopes,
}: Pick<CounterQuery, 'agentScope' | 'endpointScope' | 'ancestorScopes'>): string[] {
  return [agentScope, endpointScope, ...ancestorScopes].filter((scope) => scope !== null)
}

async function readScopes(
  client: Client,
  asked: readonly { scope: string; since: number }[],
): Promise<ScopeRow[]> {
  const { rows } = await client.query<ScopeRow>({
    name: 'read_grants',
    text: `SELECT asked.scope, asked.since, newest.granted_at AS "newestAt", newest.ordinal AS "newestOrdinal",
        first.ordinal AS "firstOrdinal"
      FROM (SELECT DISTINCT * FROM unnest($1::text[], $2::bigint[]) AS given (scope, since)) AS asked
      LEFT JOIN LATERAL (SELECT granted_at, ordinal FROM transaction_grants AS g WHERE g.scope = asked.scope
        ORDER BY granted_at DESC, ordinal DESC LIMIT 1) AS newest ON true
      LEFT JOIN LATERAL (SELECT ordinal FROM transaction_grants AS g
        WHERE g.scope = asked.scope AND g.granted_at > asked.since
        ORDER BY granted_at, ordinal LIMIT 1) AS first ON true`,
    values: [asked.map(({ scope }) => scope), asked.map(({ since }) => since)],
  })
  return rows
}
