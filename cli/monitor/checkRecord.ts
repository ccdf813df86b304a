import type { AuditEntryFields } from '@svc/core/audit/auditEntry.ts'
import { checkProofDocument } from '@svc/core/audit/proofDocument.ts'
import { findClaimFault } from '../audit/findClaimFault.ts'
import type { LogPoint } from '../audit/findExtensionFault.ts'
import type { ReadDocument } from '../audit/readDocuments.ts'
import { checkExtension } from './checkExtension.ts'
import type { Head } from './monitorState.ts'
import type { MonitoredService } from './openMonitoredService.ts'

/** A log whose records are checked. */
export type ProvenLog = {
  id: string
  /** The accepted checkpoint, under which every record must be. */
  head: Head
  /** Finds why a root does not belong to the checkpoint’s log. */
  checkRoot: (root: LogPoint) => Promise<string | null>
}

/** A proven record, or what is wrong with it. */
export type CheckedRecord = { entry: AuditEntryFields; index: number } | { fault: string }

/** Identifiers of records are UUIDs; anything longer or stranger would be in every message about it. */
const RECORD_ID = /^[0-9A-Za-z-]{1,100}$/

/** Opens a log for checking records. Those of a page are under the same root, which is checked once. */
export function openProvenLog(
  service: MonitoredService,
  { id, head }: { id: string; head: Head },
): ProvenLog {
  const checked = new Map<string, Promise<string | null>>()
  return {
    id,
    head,
    checkRoot(root) {
      const key = `${root.size} ${root.root}`
      const ordered: [LogPoint, LogPoint] = root.size < head.size ? [root, head] : [head, root]
      const known = checked.get(key) ?? checkExtension(service, ordered)
      checked.set(key, known)
      return known
    },
  }
}

/**
 * Checks one record: its own proof, what is stated next to it, and that its root belongs to the checkpoint’s log.
 *
 * @throws Unchecked if the service does not prove how that root and the checkpoint belong together.
 */
export async function checkRecord(
  log: ProvenLog,
  { document, ...read }: ReadDocument,
): Promise<CheckedRecord> {
  if (document === null) return { fault: read.fault ?? 'it is malformed' }
  if (document.logId !== log.id) return { fault: `it is proven in the log ${document.logId}` }
  const proven = checkProofDocument(document)
  if (!proven.ok) return { fault: proven.reason }
  const { entry } = proven
  const { index } = document
  if (!RECORD_ID.test(entry.recordId)) return { fault: 'its identifier is not one that a service gives' }
  const fault = findClaimFault(read.claims, { entry, index })
  if (fault !== null) return { fault }
  const foreign = await log.checkRoot({ size: document.treeSize, root: document.root })
  return foreign === null
    ? { entry, index }
    : { fault: `it is proven in another log than that of the checkpoint: ${foreign}` }
}

/** Whether a record is of one of the agents; null for all agents. */
export function isWatched(agents: ReadonlySet<string> | null, { agentId }: AuditEntryFields): boolean {
  return agents === null || (agentId !== null && agents.has(agentId))
}
