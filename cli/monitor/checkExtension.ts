import { type ConsistencyDocument, consistencyDocument } from '@svc/core/audit/proofDocument.ts'
import { parseJsonObject } from '@svc/core/parseJsonObject.ts'
import { findExtensionFault, type LogPoint } from '../audit/findExtensionFault.ts'
import { type MonitoredService, Unchecked } from './openMonitoredService.ts'

/**
 * Finds why one head of the log does not extend another; null if the service proves that it does. The proof is recomputed.
 *
 * @param evidence The signed documents that name the heads.
 * @throws Unchecked, with them, if the service does not return a proof.
 */
export async function checkExtension(
  service: MonitoredService,
  [from, to]: readonly [LogPoint, LogPoint],
  evidence: string[] = [],
): Promise<string | null> {
  if (from.size !== to.size) {
    const document = await readExtension(service, [from, to], evidence)
    return findExtensionFault(from, to, document)
  }
  if (from.root === to.root) return null
  return `at ${to.size} records the root is ${to.root}, but it was ${from.root}`
}

/**
 * Reads the service's proof from one size of the log to another, which is not checked yet.
 *
 * @throws Unchecked if the service does not return one.
 */
export async function readExtension(
  service: MonitoredService,
  [from, to]: readonly [LogPoint, LogPoint],
  evidence: string[],
): Promise<ConsistencyDocument> {
  const path = `/api/audit/consistency?from=${from.size}&to=${to.size}`
  const read = await service.read(path).catch((cause: unknown) => {
    throw new Unchecked(cause instanceof Error ? cause.message : String(cause), { cause, evidence })
  })
  if (read.kind !== 'found')
    throw new Unchecked(`the service has no consistency proof at ${path}`, { evidence })
  const document = consistencyDocument.safeParse(parseJsonObject(read.text))
  if (!document.success) throw new Unchecked(`the consistency proof at ${path} is malformed`, { evidence })
  const { fromSize, toSize } = document.data
  if (fromSize !== from.size || toSize !== to.size)
    throw new Unchecked(`the service has a proof from ${fromSize} to ${toSize} records at ${path}`, {
      evidence,
    })
  return document.data
}
