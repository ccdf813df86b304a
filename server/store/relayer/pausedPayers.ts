import type { Knex } from 'knex'

/** Accounts and networks whose share of the gas is spent. */
export type Paused = { accountIds: readonly string[]; networks: readonly string[] }

/** The columns of an intent that say for whom its gas counts. */
export type PayerColumns = { account_id: string; network: string }

/** SQLite limits the number of variables in a statement. */
const PAUSED_MAX = 200

/** Creates the reader of those whose intents wait because their share of the gas is spent. */
export function createPausedPayers(query: Knex) {
  const readWaiting = async (
    column: keyof PayerColumns,
    lastError: string,
    at: number,
  ): Promise<string[]> => {
    const rows = await query('relayer_intents')
      .distinct({ value: column })
      .whereNull('settled_at')
      .whereNotNull('last_error')
      .where({ last_error: lastError })
      .where('next_attempt_at', '>', at)
      .whereNotNull(column)
      .limit(PAUSED_MAX)
    return rows.map(({ value }) => String(value))
  }
  /** Reads whose unsettled intents wait for one of these reasons and are not due yet; at most `PAUSED_MAX` of each. */
  return async (lastErrors: { account: string; network: string }, at: number): Promise<Paused> => {
    const [accountIds, networks] = await Promise.all([
      readWaiting('account_id', lastErrors.account, at),
      readWaiting('network', lastErrors.network, at),
    ])
    return { accountIds, networks }
  }
}

/** Excludes the intents of paused accounts and networks. */
export function excludePaused(intents: Knex.QueryBuilder, { accountIds, networks }: Paused): void {
  excludeValues(intents, 'account_id', accountIds)
  excludeValues(intents, 'network', networks)
}

function excludeValues(
  intents: Knex.QueryBuilder,
  column: keyof PayerColumns,
  values: readonly string[],
): void {
  if (values.length === 0) return
  intents.where((others) => {
    others.whereNull(column).orWhereNotIn(column, [...values])
  })
}
