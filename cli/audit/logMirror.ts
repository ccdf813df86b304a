import type { ConsistencyDocument } from '@svc/core/audit/proofDocument.ts'
import { type Found, fetchGrowth } from './fetchGrowth.ts'

/** The log of which another one, on another chain, is a mirror. */
export type LogMirror = {
  of: `0x${string}`
  /** Reads the service's proof from one size of the log to another; null if no service was named. */
  readGrowth: ((from: number, to: number) => Promise<Found<ConsistencyDocument>>) | null
}

/**
 * Names the log that is mirrored.
 *
 * @param registry The service from which proofs between sizes are read, each once; null reads none.
 */
export function openLogMirror(of: `0x${string}`, registry: string | null): LogMirror {
  if (registry === null) return { of, readGrowth: null }
  const read = new Map<string, Promise<Found<ConsistencyDocument>>>()
  return {
    of,
    readGrowth(from, to) {
      const key = `${from}-${to}`
      const proof = read.get(key) ?? fetchGrowth(registry, { from, to, logId: of })
      read.set(key, proof)
      return proof
    },
  }
}
