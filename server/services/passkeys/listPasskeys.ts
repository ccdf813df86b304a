import type { Passkey as PasskeyView } from '@svc/core/contract/passkeys.ts'
import { toIsoTime } from '@svc/core/time/toIsoTime.ts'
import type { Passkey, PasskeyStore } from '../../store/accounts/passkeyStore.ts'
import type { ListPart } from '../accounts/listPage.ts'
import type { SessionPrincipal } from '../principal.ts'

export type ListPasskeysDeps = { passkeys: Pick<PasskeyStore, 'ofUser'> }

/** Lists the caller's passkeys, oldest first. One page holds them all, because their number is bounded. */
export async function listPasskeys(
  deps: ListPasskeysDeps,
  { principal }: { principal: SessionPrincipal },
): Promise<ListPart<PasskeyView>> {
  const passkeys = await deps.passkeys.ofUser(principal.userId)
  return { items: passkeys.map(toPasskeyView), nextBefore: null }
}

export function toPasskeyView({ id, name, deviceType, isBackedUp, ...passkey }: Passkey): PasskeyView {
  const { createdAt, lastUsedAt } = passkey
  return {
    id,
    name,
    deviceType,
    isBackedUp,
    createdAt: toIsoTime(createdAt),
    lastUsedAt: toIsoTime(lastUsedAt),
  }
}
