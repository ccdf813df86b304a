import { sha256 } from '../hash.ts'

/** The most logs that one database can have. */
export const LOGS_MAX = 32

/**
 * Chooses the log of an organisation's records among the logs 0 to `logs` − 1. It is the same for every record, and each log
 * has about as many organisations. Records without an organisation are in log 0.
 *
 * @param organizationId Owner of the endpoint or, in a record without one, of the agent.
 */
export function chooseLog(organizationId: string | null, logs: number): number {
  if (logs === 1 || organizationId === null) return 0
  const hash = sha256(organizationId)
  return new DataView(hash.buffer, hash.byteOffset).getUint32(0) % logs
}
