import { buildRegisterForTypedData } from '@svc/core/signing/buildRegisterForTypedData.ts'
import { validationError } from '../../../errors.ts'
import { buildAgentLinks } from '../buildAgentLinks.ts'
import type { ChainIdentities } from '../token/chainIdentities.ts'
import { mintMetadata } from '../token/tokenUriOf.ts'
import type { OnChainConsent } from './agentRegistration.ts'

/** With less time left, the relayer may miss the deadline. */
const DEADLINE_MIN_SECONDS = 60

export type CheckConsentDeps = { chain: ChainIdentities; publicUrl: string }

export type CheckConsentInput = {
  svcId: string
  owner: `0x${string}`
  consent: OnChainConsent
  now: number
}

/**
 * Rejects a consent to on-chain registration that the identity registry would reject.
 *
 * @throws ApiError VALIDATION_ERROR at the field, CHAIN_UNAVAILABLE. Source: docs/agents.md.
 */
export async function checkConsent(deps: CheckConsentDeps, input: CheckConsentInput): Promise<void> {
  const { svcId, owner, consent, now } = input
  const deadline = BigInt(consent.deadline)
  if (deadline < BigInt(Math.floor(now / 1000) + DEADLINE_MIN_SECONDS)) {
    throw badField('deadline', 'expired', `expected Unix seconds at least ${DEADLINE_MIN_SECONDS} s ahead`)
  }
  const { chainId, identityRegistry } = await deps.chain.deployment()
  const typedData = buildRegisterForTypedData({
    chainId,
    verifyingContract: identityRegistry,
    owner,
    agentURI: buildAgentLinks(deps.publicUrl, svcId).registrationFileUrl,
    metadata: mintMetadata(svcId),
    nonce: await deps.chain.ownerNonce(owner),
    deadline,
  })
  if (await deps.chain.verifyConsent({ owner, typedData, signature: consent.signature })) return
  throw badField(
    'signature',
    'invalid_signature',
    'not the owner’s signature over this agent’s URI, metadata, the registry’s present nonce and the deadline',
  )
}

function badField(field: string, code: string, message: string) {
  return validationError([{ pointer: `/onChain/${field}`, code, message }])
}
