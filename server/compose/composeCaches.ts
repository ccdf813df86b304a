import type { AccountCaches } from '../services/accounts/accountCaches.ts'
import type { Change } from '../store/database/changes/changes.ts'

export type ComposeCachesDeps = {
  accounts: AccountCaches
  verification: {
    onAgentChanged(svcId: string): void
    onEndpointChanged(endpoint: { id: string; svceId: string | null }): void
    onCredentialChanged(lookupKey: string): void
    onAccountChanged(userId: string): Promise<void>
    onAdministratorsChanged(): void
    onStandingChanged(): void
    onTierChanged(endpoint: { id: string; svceId: string | null; ownerId: string }): Promise<void>
    onBehaviourAged(): void
    onLimitDenied(svcId: string): void
    clear(): void
  }
  platforms: { onAgentChanged(svcId: string): void; clear(): void }
  /** The registration files of this process, which hold what the rows of agents said when they were written. */
  files: { onAgentChanged(svcId: string): void; onMissed(): void }
  log: { warn(fields: object, message: string): void }
}

/** Keeps the caches, and the registration files, consistent with changes of other processes. */
export function composeCaches({ accounts, verification, platforms, files, log }: ComposeCachesDeps) {
  const onMissed = (): void => {
    const { keys, sessions, owners } = accounts
    for (const cache of [keys, sessions, accounts.accounts, owners, verification, platforms]) cache.clear()
    files.onMissed()
  }
  /** Call when the row of an agent has changed. */
  const onAgentChanged = (svcId: string): void => {
    verification.onAgentChanged(svcId)
    platforms.onAgentChanged(svcId)
  }
  /** Call when an owner was suspended, or is no longer. Every member of an organisation is affected. */
  const onStandingChanged = (): void => {
    accounts.accounts.clear()
    verification.onStandingChanged()
  }
  const forget: Record<string, (id: string, publicId: string) => void> = {
    agent(id) {
      onAgentChanged(id)
      files.onAgentChanged(id)
    },
    endpoint: (id, publicId) => verification.onEndpointChanged({ id, svceId: publicId || null }),
    credential: (id) => verification.onCredentialChanged(id),
    limit: (id) => verification.onLimitDenied(id),
    key: (id) => accounts.keys.delete(id),
    session: (id) => accounts.sessions.delete(id),
    account: (id) => accounts.accounts.delete(id),
    organization(id) {
      accounts.owners.delete(id)
      verification.onAdministratorsChanged()
    },
    standing: onStandingChanged,
    owner(id) {
      verification.onAccountChanged(id).catch((err: unknown) => {
        log.warn({ err }, 'the agents of a changed account could not be looked up')
        onMissed()
      })
    },
  }
  return {
    onAgentChanged,
    onStandingChanged,
    onTierChanged: verification.onTierChanged,
    onMissed,
    onAged: verification.onBehaviourAged,
    onChange({ kind, ids: [id = '', publicId = ''] }: Change): void {
      // A newer version may report kinds that this one does not know.
      const forgetOne = forget[kind] ?? onMissed
      forgetOne(id, publicId)
    },
  }
}
