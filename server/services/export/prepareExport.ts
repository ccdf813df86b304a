import type { ZippedFile } from '../../external/zipFiles.ts'
import type { UserStore } from '../../store/accounts/userStore.ts'
import type { Db } from '../../store/database/database.ts'
import type { LockName } from '../../store/database/locks/lockName.ts'
import type { DataExport, ExportStore } from '../../store/personal/exportStore.ts'
import type { PersonalStore } from '../../store/personal/personalStore.ts'
import { type Post, postMail } from '../mail/postMail.ts'
import { type BuildExportFilesDeps, buildExportFiles } from './buildExportFiles.ts'

export type PrepareExportDeps = {
  db: Pick<Db, 'transaction'>
  exports: ExportStore
  users: Pick<UserStore, 'byId'>
  personal: Pick<PersonalStore, 'person'>
  files: BuildExportFilesDeps
  /** Writes an archive piece by piece; `writtenAt` in epoch milliseconds. */
  zip(files: Iterable<ZippedFile>, writtenAt: number): AsyncIterable<Uint8Array>
  post: Post
  clock: () => number
}

/** Longer than a part may take, so that a claim expires only if its process has died. */
const CLAIM_MS = 5 * 60_000
const ATTEMPTS_MAX = 5
/** How long a file can be downloaded. */
const KEPT_MS = 7 * 24 * 60 * 60_000
const PARTS_DELETED_MAX = 50
const NAMES: readonly LockName[] = ['job exports']

/**
 * Prepares the next export that somebody has requested, and deletes what has expired; returns the amount of work.
 *
 * The file is stored in parts of a quarter of a megabyte, each in a transaction. If the process is killed, another
 * attempt starts over. When it is ready, its owner gets a mail, in the same transaction.
 *
 * @throws Error if an attempt fails; the next one follows later, five in all.
 */
export async function prepareExport(deps: PrepareExportDeps): Promise<number> {
  const now = deps.clock()
  const deleted = await deps.db.transaction(
    (trx) => deps.exports.deleteExpired(trx, now, PARTS_DELETED_MAX),
    NAMES,
  )
  const claim = { now, until: now + CLAIM_MS, attemptsMax: ATTEMPTS_MAX }
  const attempt = await deps.db.transaction((trx) => deps.exports.claim(trx, claim), NAMES)
  if (attempt === null) return deleted
  try {
    await prepare(deps, attempt)
  } catch (error) {
    const retryAt = attempt.attempts >= ATTEMPTS_MAX ? null : now + attempt.attempts * 60_000
    await deps.db.transaction((trx) => deps.exports.giveUp(trx, attempt, retryAt), NAMES)
    throw error
  }
  return deleted + 1
}

async function prepare(deps: PrepareExportDeps, attempt: DataExport): Promise<void> {
  const { db, exports, clock } = deps
  const user = await deps.users.byId(attempt.userId)
  const person = await deps.personal.person(attempt.userId)
  if (user === null || person === null) return
  // Whoever has not confirmed an address must not read what others sent to it.
  const reader = { ...person, email: user.emailVerifiedAt === null ? null : person.email }
  const now = clock()
  let number = 0
  let sizeBytes = 0
  for await (const bytes of deps.zip(buildExportFiles(deps.files, { person: reader, now }), now)) {
    const part = { number, bytes, until: clock() + CLAIM_MS }
    if (!(await db.transaction((trx) => exports.addPart(trx, attempt, part), NAMES))) return
    number += 1
    sizeBytes += bytes.length
  }
  await db.transaction(async (trx) => {
    const readyAt = clock()
    const expiresAt = readyAt + KEPT_MS
    if (!(await exports.finish(trx, attempt, { sizeBytes, readyAt, expiresAt }))) return
    if (user.email === null) return
    const data = { expiresAt, link: `${deps.post.appUrl}/account` }
    await postMail(deps.post, trx, {
      ...{ template: 'export_ready', recipient: user.email, data },
      ...{ now: readyAt, expiresAt, key: `export_ready.${attempt.id}` },
    })
  }, NAMES)
  deps.post.wake()
}
