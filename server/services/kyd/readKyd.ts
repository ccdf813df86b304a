import { apiError } from '../../errors.ts'
import type { KydCase, KydStore } from '../../store/accounts/kydStore.ts'
import type { UserStore } from '../../store/accounts/userStore.ts'

export type ReadKydDeps = { users: Pick<UserStore, 'byId'>; kyd: Pick<KydStore, 'latestOf'> }

/** Where the verification of an account's identity stands. Source: api.md `GET /api/kyd`. */
export async function readKyd(deps: ReadKydDeps, { userId }: { userId: string }): Promise<KydView> {
  const user = await deps.users.byId(userId)
  if (!user) throw apiError('UNAUTHENTICATED')
  return toKydView(await deps.kyd.latestOf(userId), user.kydVerifiedAt)
}

/** Where the verification of an account's identity stands, for its owner. */
export type KydView = {
  status: 'none' | 'pending' | 'approved' | 'rejected'
  /** Why it was rejected, in the reviewer's words. */
  reason: string | null
  submittedAt: string | null
  decidedAt: string | null
  /** When the pictures and what was typed were deleted. */
  documentsDeletedAt: string | null
}

/**
 * Shows an account's newest case to its owner; that an identity is verified holds whatever became of the case.
 *
 * @param verifiedAt Since when the account's identity is verified; null when it is not.
 */
export function toKydView(newest: KydCase | null, verifiedAt: number | null): KydView {
  return {
    status: verifiedAt === null ? (newest?.status ?? 'none') : 'approved',
    reason: verifiedAt === null ? (newest?.reason ?? null) : null,
    submittedAt: toIsoOrNull(newest?.submittedAt ?? null),
    decidedAt: toIsoOrNull(newest?.decidedAt ?? verifiedAt),
    documentsDeletedAt: toIsoOrNull(newest?.documentsDeletedAt ?? null),
  }
}

function toIsoOrNull(time: number | null): string | null {
  return time === null ? null : new Date(Number(time)).toISOString()
}
