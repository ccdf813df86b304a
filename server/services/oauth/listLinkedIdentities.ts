import type { LinkedIdentity, LinkedIdentityStore } from '../../store/accounts/linkedIdentityStore.ts'
import type { ListPart } from '../accounts/listPage.ts'
import type { SessionPrincipal } from '../principal.ts'

export type ListLinkedIdentitiesDeps = { identities: Pick<LinkedIdentityStore, 'ofUser'> }

/** Lists the caller's linked identities, oldest first. One page holds them all, because their number is bounded. */
export async function listLinkedIdentities(
  { identities }: ListLinkedIdentitiesDeps,
  { principal }: { principal: SessionPrincipal },
): Promise<ListPart<LinkedIdentityView>> {
  return { items: (await identities.ofUser(principal.userId)).map(toLinkedIdentityView), nextBefore: null }
}

/** A linked identity as its owner sees it. */
export type LinkedIdentityView = {
  id: string
  provider: string
  issuer: string
  email: string | null
  linkedAt: string
}

/** A linked identity for its owner, without the subject, which means nothing to people. */
function toLinkedIdentityView({ id, provider, issuer, email, linkedAt }: LinkedIdentity): LinkedIdentityView {
  return { id, provider, issuer, email, linkedAt: new Date(linkedAt).toISOString() }
}
