import { apiError } from '../../errors.ts'
import type { KydStore } from '../../store/accounts/kydStore.ts'
import type { UserStore } from '../../store/accounts/userStore.ts'
import { type KydView, kydView } from './kydView.ts'

export type ReadKydDeps = { users: Pick<UserStore, 'byId'>; kyd: Pick<KydStore, 'latestOf'> }

/** Where the verification of an account's identity stands. Source: api.md `GET /api/kyd`. */
export async function readKyd(deps: ReadKydDeps, { userId }: { userId: string }): Promise<KydView> {
  const user = await deps.users.byId(userId)
  if (!user) throw apiError('UNAUTHENTICATED')
  return kydView(await deps.kyd.latestOf(userId), user.kydVerifiedAt)
}
