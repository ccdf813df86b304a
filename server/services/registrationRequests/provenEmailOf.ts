import type { UserStore } from '../../store/accounts/userStore.ts'

/** The address that an account has proven to be its own; null without one: anybody can open an account with another's. */
export async function provenEmailOf(users: Pick<UserStore, 'byId'>, userId: string): Promise<string | null> {
  const user = await users.byId(userId)
  return user !== null && user.emailVerifiedAt !== null ? user.email : null
}
