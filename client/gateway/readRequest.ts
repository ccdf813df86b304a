import { readHeaders } from '../http/readHeaders.ts'
import { listCoveredNames } from './readCoveredHeaders.ts'
import { pathOf, type RequestFacts } from './requestFacts.ts'

/** A request whose headers, path and signatures have been read, for all steps of the gateway. */
export type ReceivedRequest = {
  facts: RequestFacts
  /** By lower-case name. */
  headers: ReturnType<typeof readHeaders>
  path: string
  /** The names that each of its signatures covers; no lists for a request without a signature. */
  covered: readonly (readonly string[])[]
}

const NO_LISTS: ReceivedRequest['covered'] = []

/** Reads what the steps of the gateway share, once for each request: reading it takes longer than most steps. */
export function readRequest(facts: RequestFacts): ReceivedRequest {
  const headers = readHeaders(facts.headers ?? {})
  const covered = headers.signature === undefined ? NO_LISTS : listCoveredNames(headers)
  return { facts, headers, path: pathOf(facts), covered }
}
