import type { LinkedIdentityStore } from '../../store/accounts/linkedIdentityStore.ts'
import type { ListPart } from '../accounts/listPage.ts'
import type { SessionPrincipal } from '../principal.ts'
import { type LinkedIdentityView, linkedIdentityView } from './linkedIdentityView.ts'

export type ListLinkedIdentitiesDeps = { identities: Pick<LinkedIdentityStore, 'ofUser'> }

/** Lists the caller's linked identities, oldest first. One page holds them all, because their number is bounded. */
export async function listLinkedIdentities(
  { identities }: ListLinkedIdentitiesDeps,
  { principal }: { principal: SessionPrincipal },
): Promise<ListPart<LinkedIdentityView>> {
  return { items: (await identities.ofUser(principal.userId)).map(linkedIdentityView), nextBefore: null }
}
