import type { Passkey } from '../../store/accounts/passkeyStore.ts'

/** A passkey as its owner sees it. */
export type PasskeyView = {
  id: string
  name: string
  deviceType: 'singleDevice' | 'multiDevice'
  isBackedUp: boolean
  createdAt: string
  lastUsedAt: string | null
}

/** Shows a passkey to its owner. */
export function passkeyView({ id, name, deviceType, isBackedUp, ...passkey }: Passkey): PasskeyView {
  const { createdAt, lastUsedAt } = passkey
  return {
    id,
    name,
    deviceType,
    isBackedUp,
    createdAt: new Date(createdAt).toISOString(),
    lastUsedAt: lastUsedAt === null ? null : new Date(lastUsedAt).toISOString(),
  }
}
