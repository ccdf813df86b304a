import { deriveAgentIdentifier } from '@svc/core/ids/derivedIdentifiers.ts'
import { encodeAgentIdentifier } from '@svc/core/ids/identifiers.ts'
import { validationError } from '../../../errors.ts'
import type { AgentRow } from '../../../store/agents/agentStore.ts'
import type { Once } from '../../idempotency/answerOnce.ts'
import type { SignaturePrincipal } from '../../principal.ts'
import { agentLinks } from '../agentLinks.ts'
import type { AgentRegistration } from './agentRegistration.ts'
import { checkChallengeUrl } from './checkChallengeUrl.ts'
import { type CheckConsentDeps, checkConsent } from './checkConsent.ts'
import { type StoreNewAgentDeps, storeNewAgent } from './storeNewAgent.ts'

export type RegisterAgentDeps = CheckConsentDeps &
  StoreNewAgentDeps & {
    publishFile(svcId: string): Promise<void>
    scoreAgent(agent: AgentRow, now: number): Promise<number>
    onAgentChanged(svcId: string): void
  }

export type RegisterAgentInput = {
  principal: SignaturePrincipal
  registration: AgentRegistration
  now: number
  once: Once
}

/** A derived identifier is only as hard to guess as the nonce it is made of. */
const NONCE_LENGTH_MIN = 16

/**
 * Registers an agent by its owner's signature, at once and without a wallet transaction of the owner.
 *
 * The identifier is drawn; with a consent for the chain it is derived, because the owner has signed the token URI
 * that holds it. Nothing is stored unless everything is in order.
 *
 * @throws ApiError VALIDATION_ERROR, nonce_reused, CHAIN_UNAVAILABLE.
 * Source: `Spec: POST /api/agents/register`; api.md "Agents".
 */
export async function registerAgent(deps: RegisterAgentDeps, input: RegisterAgentInput) {
  const { principal, registration, now, once } = input
  const { settings } = deps
  checkChallengeUrl(registration, settings.allowPrivateNetwork)
  const drawn = await identifierOf(deps, input)
  const { address } = principal
  const agent = await once(() => storeNewAgent(deps, { svcId: drawn, registration, address, now }))
  // The stored identifier, where this repeats a request that was interrupted after its commit.
  const { svcId } = agent
  deps.onAgentChanged(svcId)
  await deps.publishFile(svcId)
  const { agentCardUrl, registrationFileUrl } = agentLinks(settings.publicUrl, svcId)
  return {
    kyaAgentId: svcId,
    svcId,
    trustScore: await deps.scoreAgent(agent, now),
    name: agent.name,
    agentStatus: agent.status,
    blockchainStatus: agent.blockchainStatus,
    agentCardUrl,
    registrationFileUrl,
  }
}

async function identifierOf(deps: RegisterAgentDeps, input: RegisterAgentInput): Promise<string> {
  const { principal, registration, now } = input
  if (registration.onChain === null) return encodeAgentIdentifier(deps.settings.randomBytes(16))
  if (principal.nonce.length < NONCE_LENGTH_MIN) {
    const message = `with a consent the header X-Svc-Nonce has at least ${NONCE_LENGTH_MIN} characters`
    throw validationError([{ pointer: '/onChain', code: 'nonce_too_short', message }])
  }
  const svcId = deriveAgentIdentifier(principal.address, principal.nonce)
  await checkConsent(deps, { svcId, owner: principal.address, consent: registration.onChain, now })
  return svcId
}
