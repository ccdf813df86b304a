import { type ConsistencyDocument, consistencyDocument } from '@svc/core/audit/proofDocument.ts'
import { findLogNumber } from './findLogNumber.ts'
import { readSource } from './readSource.ts'

/** What was found, or why it is not usable. */
export type Found<Value> = { ok: true; value: Value } | { ok: false; reason: string }

/** Reads a consistency proof from a file or a URL. @throws Error if it cannot be read. */
export async function readGrowth(source: string): Promise<Found<ConsistencyDocument>> {
  let value: unknown = null
  try {
    value = JSON.parse(await readSource(source, 'consistency'))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  const parsed = consistencyDocument.safeParse(value)
  if (parsed.success) return { ok: true, value: parsed.data }
  const issue = parsed.error.issues[0]
  return {
    ok: false,
    reason: `${source} is not a consistency proof: ${issue?.path.join('.')}: ${issue?.message}`,
  }
}

/**
 * Fetches the proof of a service that a log of one size extends that of another.
 *
 * @param registry URL of the service. @throws Error if it does not respond.
 */
export async function fetchGrowth(
  registry: string,
  { from, to, logId }: { from: number; to: number; logId: string },
): Promise<Found<ConsistencyDocument>> {
  const service = registry.replace(/\/+$/, '')
  // A service that does not name the log is asked about its first one; a proof of another log is refused anyway.
  const number = findLogNumber(await readSource(`${service}/api/chain`, 'chain').catch(() => ''), logId) ?? 0
  const log = number === 0 ? '' : `&log=${number}`
  return readGrowth(`${service}/api/audit/consistency?from=${from}&to=${to}${log}`)
}
