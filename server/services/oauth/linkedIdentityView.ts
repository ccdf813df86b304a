import type { LinkedIdentity } from '../../store/accounts/linkedIdentityStore.ts'

/** A linked identity as its owner sees it. */
export type LinkedIdentityView = {
  id: string
  provider: string
  issuer: string
  email: string | null
  linkedAt: string
}

/** What the owner sees of a linked identity; its subject is of no use to them. */
export function linkedIdentityView({
  id,
  provider,
  issuer,
  email,
  linkedAt,
}: LinkedIdentity): LinkedIdentityView {
  return { id, provider, issuer, email, linkedAt: new Date(linkedAt).toISOString() }
}
