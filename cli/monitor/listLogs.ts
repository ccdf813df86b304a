import { LOGS_MAX } from '@svc/core/audit/chooseLog.ts'
import { parseJsonObject } from '@svc/core/parseJsonObject.ts'
import { z } from 'zod'
import { type MonitoredService, Unchecked } from './openMonitoredService.ts'

const id = z.string().regex(/^0x[0-9a-f]{64}$/)
/** Services of earlier releases have one log, and name only `logId`. */
const chainAnswer = z.object({ logId: id, logIds: z.array(id).min(1).max(LOGS_MAX).optional() })

/**
 * Lists the ids of the logs that a service names, by their numbers. It is the service’s word: there may be a log that it
 * does not name.
 *
 * @throws Unchecked if it names none.
 */
export async function listLogs(service: MonitoredService): Promise<string[]> {
  const read = await service.read('/api/chain')
  const { data } = chainAnswer.safeParse(read.kind === 'found' ? parseJsonObject(read.text) : null)
  if (data === undefined) throw new Unchecked('the service does not name its logs')
  return data.logIds ?? [data.logId]
}

/** Reads everything about the log with this number. */
export function openLog(service: MonitoredService, number: number): MonitoredService {
  if (number === 0) return service
  return {
    read: (path, options) => service.read(`${path}${path.includes('?') ? '&' : '?'}log=${number}`, options),
  }
}
