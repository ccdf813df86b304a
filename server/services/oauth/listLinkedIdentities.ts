import type { LinkedIdentity as LinkedIdentityView } from '@svc/core/contract/oauth.ts'
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

/** A linked identity for its owner, without the subject, which means nothing to people. */
function toLinkedIdentityView({ id, provider, issuer, email, linkedAt }: LinkedIdentity): LinkedIdentityView {
  return { id, provider, issuer, email, linkedAt: new Date(linkedAt).toISOString() }
}
