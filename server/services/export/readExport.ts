import { apiError } from '../../errors.ts'
import type { PasskeyStore } from '../../store/accounts/passkeyStore.ts'
import type { DataExport, ExportStore } from '../../store/personal/exportStore.ts'
import type { SessionPrincipal } from '../principal.ts'
import { requireFreshProof } from '../requireFreshProof.ts'

export type ReadExportDeps = {
  passkeys: Pick<PasskeyStore, 'ofUser'>
  exports: Pick<ExportStore, 'of' | 'part'>
}

/**
 * Finds the export of the caller, whose file `readExportFile` returns.
 *
 * @throws ApiError ELEVATION_REQUIRED; NOT_FOUND if none was requested; INVALID_STATE while it is being prepared, and if
 * that failed; GONE once it has expired.
 */
export async function readExport(
  deps: ReadExportDeps,
  { principal, now }: { principal: SessionPrincipal; now: number },
): Promise<DataExport> {
  await requireFreshProof(deps, principal, now)
  const found = await deps.exports.of(principal.userId)
  if (found === null)
    throw apiError('NOT_FOUND', { message: 'There is no export of your data. Request one.' })
  if (found.expiresAt === null) throw apiError('INVALID_STATE', { message: describeUnready(found) })
  if (found.expiresAt <= now)
    throw apiError('GONE', { message: 'The export has expired. Request a new one.' })
  return found
}

function describeUnready({ status }: DataExport): string {
  return status === 'failed'
    ? 'The export could not be prepared. Request a new one.'
    : 'The export is still being prepared. You will get an e-mail when it is ready.'
}

/**
 * Yields the bytes of an export's file, a part at a time; the reader sets the pace.
 *
 * @throws Error if the file is deleted meanwhile, so that a part is not taken for the whole.
 */
export async function* readExportFile(
  { exports }: { exports: Pick<ExportStore, 'part'> },
  { id, sizeBytes }: DataExport,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let left = sizeBytes ?? 0
  for (let number = 0; left > 0 && !signal.aborted; number += 1) {
    const bytes = await exports.part(id, number)
    if (bytes === null) throw new Error('an export was deleted while it was being downloaded')
    left -= bytes.length
    yield bytes
  }
}
