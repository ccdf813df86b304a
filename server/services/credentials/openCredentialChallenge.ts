import { encodeBase64Url } from '@svc/core/bytes.ts'
import { sha256Hex } from '@svc/core/hash.ts'
import { writeHolderStatement } from '@svc/core/signing/buildSignedRequestMessage.ts'
import { apiError } from '../../errors.ts'
import { requireWriteAccess } from '../agents/requireWriteAccess.ts'
import type { Principal } from '../principal.ts'
import { type CredentialDeps, credentialAudienceOf } from './credentialDeps.ts'

export type OpenCredentialChallengeInput = { id: string; principal: Principal; now: number }

/** The maximum age of a proof. */
const CHALLENGE_MS = 10 * 60_000

/** Maximum further open challenges of an agent. */
const OTHERS_MAX = 19

/**
 * Issues the challenge that the holder of a credential signs before the credential is stored for an agent.
 *
 * @throws ApiError NOT_FOUND, FORBIDDEN. Source: docs/credentials.md.
 */
export async function openCredentialChallenge(
  deps: CredentialDeps,
  { id, principal, now }: OpenCredentialChallengeInput,
) {
  const agent = await deps.agents.byAnyId(id)
  if (!agent) throw apiError('NOT_FOUND')
  requireWriteAccess(deps, principal, agent, now)
  const { publicUrl, randomBytes } = deps.settings
  const challenge = encodeBase64Url(randomBytes(24))
  const expiresAt = now + CHALLENGE_MS
  const stored = { hash: sha256Hex(challenge), agentId: agent.svcId, expiresAt }
  await deps.db.transaction((trx) =>
    deps.credentials.insertChallenge(trx, stored, { others: OTHERS_MAX, now }),
  )
  const audience = credentialAudienceOf(publicUrl, agent.svcId)
  return {
    challenge,
    audience,
    message: writeHolderStatement({ audience, nonce: challenge }),
    expiresAt: new Date(expiresAt).toISOString(),
  }
}
