import { toIsoTime } from '@svc/core/time/toIsoTime.ts'
import type { CredentialRow } from '../../store/agents/credentialStore.ts'
import { findOwnAgent } from '../agents/findOwnAgent.ts'
import type { Principal } from '../principal.ts'
import type { CredentialDeps } from './credentialDeps.ts'

/**
 * Lists the third-party credentials of one of the caller's agents, oldest first, in one page.
 *
 * @throws ApiError NOT_FOUND, FORBIDDEN for anyone but the owner.
 */
export async function listCredentials(
  { agents, credentials }: Pick<CredentialDeps, 'agents' | 'credentials'>,
  { id, principal, now }: { id: string; principal: Principal; now: number },
): Promise<CredentialView[]> {
  const agent = await findOwnAgent(agents, { id, principal })
  return (await credentials.ofAgent(agent.svcId)).map((credential) => toCredentialView(credential, now))
}

export type CredentialView = ReturnType<typeof toCredentialView>

/** A stored credential as its owner sees it; an expired one no longer identifies an agent. */
export function toCredentialView(credential: CredentialRow, now: number) {
  const { id, type, subject, issuer, algorithm, validFrom, expiresAt, createdAt } = credential
  const isExpired = expiresAt !== null && expiresAt <= now
  return {
    ...{ id, type, subject, issuer, algorithm },
    status: isExpired ? ('expired' as const) : ('valid' as const),
    validFrom: toIsoTime(validFrom),
    expiresAt: toIsoTime(expiresAt),
    createdAt: toIsoTime(createdAt),
  }
}
