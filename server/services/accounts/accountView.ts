import type { User } from '../../store/accounts/userStore.ts'

/** An account as its owner sees it. */
export type AccountView = {
  id: string
  developerId: string
  email: string | null
  isEmailVerified: boolean
  fullName: string | null
  accountType: 'individual' | 'business'
  role: 'user' | 'operator'
  kydStatus: 'none' | 'verified'
  createdAt: string
}

/** Shows an account to its owner; nothing that a password or key could be guessed from. */
export function accountView(user: User): AccountView {
  const { id, developerId, email, fullName, accountType, role } = user
  return {
    id,
    developerId,
    email,
    isEmailVerified: user.emailVerifiedAt !== null,
    fullName,
    accountType,
    role,
    kydStatus: user.kydVerifiedAt === null ? 'none' : 'verified',
    createdAt: new Date(user.createdAt).toISOString(),
  }
}
