import type { LogLook } from './lookAtLog.ts'
import type { Place } from './recordPlaces.ts'

/** Reads the line of one record from its export, as evidence: at most one, and none if the service does not show it. */
export async function readExportLine(looks: readonly LogLook[], { log, number }: Place): Promise<string[]> {
  const look = looks.find(({ id }) => id === log)
  const path = `/api/audit/export?from=${number}&to=${number}`
  const read = await look?.service.read(path, { isOwn: true }).catch(() => null)
  return read?.kind === 'found' ? read.text.split('\n').slice(0, 1) : []
}
