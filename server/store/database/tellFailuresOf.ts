import type { Knex } from 'knex'
import { translateFailure } from './tellFailure.ts'

/**
 * Lets whatever a pool fails at be told as `tellFailure` does. Statements of transactions do not come by here: whoever runs
 * one tells of its outcome.
 */
export function translateFailuresOf(query: Knex): Knex {
  const { client } = query
  const [run, acquire] = [client.query.bind(client), client.acquireConnection.bind(client)]
  client.query = (...given: unknown[]) => translateFailure(run(...given))
  client.acquireConnection = () => translateFailure(acquire())
  return query
}
