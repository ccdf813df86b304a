import type { KydStore } from '../../store/accounts/kydStore.ts'
import type { Db } from '../../store/database/database.ts'

export type DeleteKydDocumentsDeps = {
  db: Pick<Db, 'transaction'>
  kyd: Pick<KydStore, 'keptSince' | 'deleteDocuments'>
  retentionDays: number
}

const DAY_MS = 24 * 60 * 60 * 1000
/** Maximum cases per round, each in its own transaction, because pictures are large. */
const CASES_MAX = 20

/** Deletes the documents of cases whose retention has ended; returns the number of cases. */
export async function deleteKydDocuments(
  { db, kyd, retentionDays }: DeleteKydDocumentsDeps,
  now: number,
): Promise<number> {
  const ids = await kyd.keptSince(now - retentionDays * DAY_MS, CASES_MAX)
  for (const id of ids) await db.transaction((trx) => kyd.deleteDocuments(trx, id, now))
  return ids.length
}
