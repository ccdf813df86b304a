import type { DataExport as ExportView } from '@svc/core/contract/accounts.ts'
import type { DataExport } from '../../store/personal/exportStore.ts'

/** Shows an export to its owner. */
export function toExportView(stored: DataExport): ExportView {
  const { status, requestedAt, readyAt, expiresAt, sizeBytes } = stored
  return {
    status,
    requestedAt: toIsoTime(requestedAt),
    readyAt: readyAt === null ? null : toIsoTime(readyAt),
    expiresAt: expiresAt === null ? null : toIsoTime(expiresAt),
    sizeBytes,
  }
}

function toIsoTime(epochMs: number): string {
  return new Date(epochMs).toISOString()
}
