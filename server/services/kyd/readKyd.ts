import type { Kyd } from '@svc/core/contract/kyd.ts'
import { toIsoTime } from '@svc/core/time/toIsoTime.ts'
import { apiError } from '../../errors.ts'
import type { KydCase, KydStore } from '../../store/accounts/kydStore.ts'
import type { UserStore } from '../../store/accounts/userStore.ts'

export type ReadKydDeps = { users: Pick<UserStore, 'byId'>; kyd: Pick<KydStore, 'latestOf'> }

/** Returns the state of the identity verification of an account. */
export async function readKyd(deps: ReadKydDeps, { userId }: { userId: string }): Promise<Kyd> {
  const user = await deps.users.byId(userId)
  if (!user) throw apiError('UNAUTHENTICATED')
  return toKydView(await deps.kyd.latestOf(userId), user.kydVerifiedAt)
}

/**
 * Shows an account's newest case to its owner; a verified identity stays verified whatever became of the case.
 *
 * @param verifiedAt When the identity was verified; null if it was not.
 */
export function toKydView(newest: KydCase | null, verifiedAt: number | null): Kyd {
  return {
    status: verifiedAt === null ? (newest?.status ?? 'none') : 'approved',
    reason: verifiedAt === null ? (newest?.reason ?? null) : null,
    submittedAt: toIsoTime(newest?.submittedAt ?? null),
    decidedAt: toIsoTime(newest?.decidedAt ?? verifiedAt),
    documentsDeletedAt: toIsoTime(newest?.documentsDeletedAt ?? null),
  }
}
