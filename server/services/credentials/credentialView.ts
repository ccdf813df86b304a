import type { CredentialRow } from '../../store/agents/credentialStore.ts'

export type CredentialView = ReturnType<typeof credentialView>

/** A stored credential as its owner sees it; one that has expired leads to no agent any more. */
export function credentialView(credential: CredentialRow, now: number) {
  const { id, type, subject, issuer, algorithm, validFrom, expiresAt, createdAt } = credential
  const time = (at: number | null) => (at === null ? null : new Date(at).toISOString())
  const isExpired = expiresAt !== null && expiresAt <= now
  return {
    ...{ id, type, subject, issuer, algorithm },
    status: isExpired ? ('expired' as const) : ('valid' as const),
    validFrom: time(validFrom),
    expiresAt: time(expiresAt),
    createdAt: new Date(createdAt).toISOString(),
  }
}
