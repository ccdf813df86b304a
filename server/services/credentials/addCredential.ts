import type { StorableCredentialType } from '@svc/core/credentials/deriveCredentialLookupKey.ts'
import { sha256Hex } from '@svc/core/hash.ts'
import { generateUuidV7 } from '@svc/core/ids/uuids.ts'
import { apiError, validationError } from '../../errors.ts'
import type { CredentialRow } from '../../store/agents/credentialStore.ts'
import { requireWriteAccess } from '../agents/requireWriteAccess.ts'
import type { Principal } from '../principal.ts'
import type { WaitForHost } from '../waitForHost.ts'
import { buildCredentialRecord } from './buildCredentialRecord.ts'
import { type CredentialDeps, credentialAudienceOf } from './credentialDeps.ts'
import { type CredentialView, toCredentialView } from './listCredentials.ts'

export type AddCredentialInput = {
  id: string
  principal: Principal
  offered: { type: StorableCredentialType; value: string; challenge: string; proof?: string | undefined }
  now: number
  waitForHost: WaitForHost
}

/** Maximum credentials per agent; lists are returned whole. */
const CREDENTIALS_MAX = 20

/**
 * Stores a third-party credential of an agent. The holder of the credential has to have signed the challenge.
 *
 * Only the lookup key of the credential is stored: someone who reads the database cannot present the credential itself. Of
 * simultaneous requests with one challenge, one succeeds: the challenge is consumed by the transaction that stores it.
 *
 * @throws ApiError NOT_FOUND, FORBIDDEN, VALIDATION_ERROR for what does not verify, INVALID_STATE for a retired agent or a
 * full list, CREDENTIAL_TAKEN; as `WaitForHost`. Source: `Spec:` "Third-party credentials"; docs/credentials.md.
 */
export async function addCredential(
  deps: CredentialDeps,
  { id, principal, offered, now, waitForHost }: AddCredentialInput,
): Promise<CredentialView> {
  const found = await deps.agents.byAnyId(id)
  if (!found) throw apiError('NOT_FOUND')
  requireWriteAccess(deps, principal, found, now)
  const { svcId } = found
  const challengeHash = sha256Hex(offered.challenge)
  if (!(await deps.credentials.hasChallenge(challengeHash, svcId, now))) throw unknownChallenge()
  const { publicUrl, randomBytes } = deps.settings
  const { type, value, proof, challenge: nonce } = offered
  const audience = credentialAudienceOf(publicUrl, svcId)
  const verified = await deps.verify({ type, value, proof, audience, nonce, now, waitForHost })
  if (!verified.ok) throw validationError([verified.field])
  const credential: CredentialRow = {
    ...verified.credential,
    id: generateUuidV7(now, randomBytes(10)),
    agentId: svcId,
    type: offered.type,
    createdAt: now,
  }
  const added = await deps.db.transaction(
    async (trx) => {
      if (!(await deps.credentials.takeChallenge(trx, challengeHash, svcId, now))) throw unknownChallenge()
      const agent = await deps.agents.bySvcId(svcId, trx)
      if (!agent || agent.status === 'retired') throw apiError('INVALID_STATE')
      if (await deps.credentials.isTaken(trx, credential)) throw apiError('CREDENTIAL_TAKEN')
      if ((await deps.credentials.ofAgent(svcId, trx)).length >= CREDENTIALS_MAX) {
        throw apiError('INVALID_STATE', { message: `An agent has at most ${CREDENTIALS_MAX} credentials.` })
      }
      await deps.credentials.insert(trx, credential)
      const context = { now, randomBytes }
      await deps.records.append(
        trx,
        buildCredentialRecord('agent.credential_added', agent, credential, context),
      )
      return toCredentialView(credential, now)
    },
    [`agent ${svcId}`, `key ${credential.lookupKey}`, `key ${credential.claimKey}`],
  )
  deps.onCredentialChanged(credential.lookupKey)
  return added
}

function unknownChallenge() {
  const message = 'is not an open challenge of this agent'
  return validationError([{ pointer: '/challenge', code: 'unknown_challenge', message }])
}
