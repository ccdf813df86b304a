import type { DataExport as ExportView } from '@svc/core/contract/accounts.ts'
import { toIsoTime } from '@svc/core/time/toIsoTime.ts'
import type { DataExport } from '../../store/personal/exportStore.ts'

/** Shows an export to its owner. */
export function toExportView(stored: DataExport): ExportView {
  const { status, requestedAt, readyAt, expiresAt, sizeBytes } = stored
  return {
    status,
    requestedAt: toIsoTime(requestedAt),
    readyAt: toIsoTime(readyAt),
    expiresAt: toIsoTime(expiresAt),
    sizeBytes,
  }
}
