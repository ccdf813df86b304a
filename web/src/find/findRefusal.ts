import { ApiFailure } from '../api/apiFailure.ts'

/** That the service has nothing of an id, or nothing that this account may read, is no refusal. */
const NOTHING_THERE: readonly number[] = [400, 403, 404]

/** Finds why the service refused to search, in the order of the queries. */
export function findRefusal(queries: readonly { error: unknown }[]): ApiFailure | null {
  for (const { error } of queries) {
    if (error instanceof ApiFailure && !NOTHING_THERE.includes(error.status)) return error
  }
  return null
}
