import { auditOperations } from '@svc/core/contract/audit.ts'
import type { ResultOf } from '@svc/core/contract/operations.ts'
import { parseJsonObject } from '@svc/core/parseJsonObject.ts'
import { HANDOVERS_MAX } from '../audit/followHandovers.ts'
import { parseVerifierKey, type VerifierKey } from '../audit/parseVerifierKey.ts'
import { type MonitoredService, Unchecked } from './openMonitoredService.ts'

type LogKey = ResultOf<'GET /api/audit/key'>

/**
 * Reads which key the service says signs its log, with the hand-overs of former ones.
 *
 * @throws Unchecked if it names none.
 */
export async function readShownKey(service: MonitoredService): Promise<LogKey> {
  const read = await service.read('/api/audit/key')
  const answer = auditOperations['GET /api/audit/key'].answer.safeParse(
    read.kind === 'found' ? parseJsonObject(read.text) : null,
  )
  if (!answer.success) throw new Unchecked('the service names no key of its log')
  if (answer.data.handovers.length > HANDOVERS_MAX)
    throw new Unchecked(`the service names more than ${HANDOVERS_MAX} hand-overs of the log’s key`)
  return answer.data
}

/** Parses a key of this log that the service named. @throws Unchecked if it is not one. */
export function parseShownKey(text: string, id: string): VerifierKey {
  let key: VerifierKey
  try {
    key = parseVerifierKey(text)
  } catch (cause) {
    throw new Unchecked('the key that the service names is not that of a log', { cause })
  }
  if (!key.name.endsWith(`/${id}`))
    throw new Unchecked('the key that the service names is that of another log')
  return key
}
