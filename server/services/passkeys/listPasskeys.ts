import type { PasskeyStore } from '../../store/accounts/passkeyStore.ts'
import type { ListPart } from '../accounts/listPage.ts'
import type { SessionPrincipal } from '../principal.ts'
import { type PasskeyView, passkeyView } from './passkeyView.ts'

export type ListPasskeysDeps = { passkeys: Pick<PasskeyStore, 'ofUser'> }

/** The caller's passkeys, the oldest first: one part holds them all, since their number is bounded. */
export async function listPasskeys(
  deps: ListPasskeysDeps,
  { principal }: { principal: SessionPrincipal },
): Promise<ListPart<PasskeyView>> {
  const passkeys = await deps.passkeys.ofUser(principal.userId)
  return { items: passkeys.map(passkeyView), nextBefore: null }
}
