import type { DataExport as ExportView } from '@svc/core/contract/accounts.ts'
import { generateUuidV7 } from '@svc/core/ids/uuids.ts'
import { apiError } from '../../errors.ts'
import type { Db } from '../../store/database/database.ts'
import type { ExportStore } from '../../store/personal/exportStore.ts'
import { exhaustedHeaders } from '../exhaustedHeaders.ts'
import type { SessionPrincipal } from '../principal.ts'
import { toExportView } from './toExportView.ts'

export type RequestExportDeps = {
  exports: Pick<ExportStore, 'of' | 'request'>
  transaction: Db['transaction']
  randomBytes: (length: number) => Uint8Array
  /** Called after the commit. */
  onExportRequested(): void
}

/** The shortest time between two exports of an account. */
const PAUSE_MS = 24 * 60 * 60 * 1000
/** The name of this limit in the headers of its 429. */
const RULE = { name: 'export', max: 1, windowSeconds: PAUSE_MS / 1000 }

/**
 * Requests an export of everything that the service stores about the caller; a repetition while it is being prepared changes
 * nothing.
 *
 * It needs no fresh passkey, because it reveals nothing: the file does, and needs one.
 *
 * @throws ApiError RATE_LIMITED within a day of an export that has not failed.
 */
export async function requestExport(
  deps: RequestExportDeps,
  { principal, now }: { principal: SessionPrincipal; now: number },
): Promise<ExportView> {
  const { userId } = principal
  const requested = await deps.transaction(async (trx) => {
    const before = await deps.exports.of(userId, trx)
    if (before?.status === 'preparing') return before
    if (before?.status === 'ready') requirePause(before.requestedAt + PAUSE_MS - now)
    const id = generateUuidV7(now, deps.randomBytes(10))
    return deps.exports.request(trx, { id, userId, requestedAt: now })
  })
  deps.onExportRequested()
  return toExportView(requested)
}

function requirePause(leftMs: number): void {
  if (leftMs <= 0) return
  throw apiError('RATE_LIMITED', {
    message: 'Your data can be exported once a day. Download the export that you have, or try again later.',
    headers: exhaustedHeaders(RULE, Math.ceil(leftMs / 1000)),
  })
}
