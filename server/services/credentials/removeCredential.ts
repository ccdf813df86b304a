import { apiError } from '../../errors.ts'
import { requireWriteAccess } from '../agents/requireWriteAccess.ts'
import type { Principal } from '../principal.ts'
import { buildCredentialRecord } from './buildCredentialRecord.ts'
import type { CredentialDeps } from './credentialDeps.ts'

const ADOPTED = 'An agent is adopted until its token is transferred; retire it to stop its requests.'

export type RemoveCredentialInput = { id: string; credentialId: string; principal: Principal; now: number }

/**
 * Removes a third-party credential from an agent, even a retired one; from the response on it identifies no agent and may
 * be added to another.
 *
 * @throws ApiError NOT_FOUND, FORBIDDEN, INVALID_STATE for the token of an adopted agent.
 */
export async function removeCredential(
  deps: CredentialDeps,
  { id, credentialId, principal, now }: RemoveCredentialInput,
): Promise<void> {
  const agent = await deps.agents.byAnyId(id)
  if (!agent) throw apiError('NOT_FOUND')
  requireWriteAccess(deps, principal, agent, now)
  const removed = await deps.db.transaction(
    async (trx) => {
      const held = await deps.credentials.ofAgent(agent.svcId, trx)
      const credential = held.find((each) => each.id === credentialId)
      if (!credential) throw apiError('NOT_FOUND')
      if (credential.type === 'erc8004') throw apiError('INVALID_STATE', { message: ADOPTED })
      await deps.credentials.remove(trx, credential.id)
      const context = { now, randomBytes: deps.settings.randomBytes }
      await deps.records.append(
        trx,
        buildCredentialRecord('agent.credential_removed', agent, credential, context),
      )
      return credential
    },
    [`agent ${agent.svcId}`],
  )
  deps.onCredentialChanged(removed.lookupKey)
}
