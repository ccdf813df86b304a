import { deriveAgentIdentifier } from '@svc/core/ids/derivedIdentifiers.ts'
import { encodeAgentIdentifier } from '@svc/core/ids/identifiers.ts'
import { computeKeyThumbprint } from '@svc/core/signing/computeKeyThumbprint.ts'
import { networkOf } from '@svc/core/url/ipAddress.ts'
import { validationError } from '../../../errors.ts'
import type { AgentRow, AgentStore } from '../../../store/agents/agentStore.ts'
import type { Db } from '../../../store/database/database.ts'
import type { LockName } from '../../../store/database/locks/lockName.ts'
import type { Once } from '../../idempotency/answerOnce.ts'
import type { SignaturePrincipal } from '../../principal.ts'
import type { AssessedAgent } from '../assessAgent.ts'
import { buildAgentLinks } from '../buildAgentLinks.ts'
import { type VerifyKeyProofsDeps, verifyKeyProofs } from '../keys/verifyKeyProofs.ts'
import { type ReadBlockchainDelayDeps, readBlockchainDelay } from '../readBlockchainDelay.ts'
import { type AddAgentDeps, addAgent } from './addAgent.ts'
import { type AgentRegistration, checkChallengeUrl } from './agentRegistration.ts'
import { type CheckConsentDeps, checkConsent } from './checkConsent.ts'

/** Counts registrations of a network, by an address in it, and of an account. @throws ApiError RATE_LIMITED. */
export type RegistrationBudgets = {
  ofNetwork: { take(ip: string, now: number): unknown }
  ofAccount: { take(userId: string, now: number): unknown }
}

export type RegisterAgentDeps = CheckConsentDeps &
  StoreNewAgentDeps &
  VerifyKeyProofsDeps &
  ReadBlockchainDelayDeps & {
    publishFile(svcId: string): Promise<void>
    assessAgent(agent: AgentRow, now: number): Promise<AssessedAgent>
    onAgentChanged(svcId: string): void
  }

export type RegisterAgentInput = {
  principal: SignaturePrincipal
  registration: AgentRegistration
  /** Proofs that the owner holds keys of the registration. */
  keyProofs: readonly string[]
  /** Address of the caller. */
  ip: string
  now: number
  once: Once
}

/** A derived identifier is only as unpredictable as the nonce it is derived from. */
const NONCE_LENGTH_MIN = 16

/**
 * Registers an agent by its owner's signature, immediately and without a wallet transaction by the owner.
 *
 * The identifier is random. With a consent to on-chain registration or proofs of keys it is derived, because what was signed
 * contains it. Nothing is stored unless everything is valid. Agents of other owners lose the keys that are proven.
 *
 * @throws ApiError VALIDATION_ERROR, nonce_reused, KEY_TAKEN, CHAIN_UNAVAILABLE, RATE_LIMITED. Source: `Spec: POST
 * /api/agents/register`.
 */
export async function registerAgent(deps: RegisterAgentDeps, input: RegisterAgentInput) {
  const { principal, registration, keyProofs, ip, now, once } = input
  const { settings } = deps
  checkChallengeUrl(registration, settings.allowPrivateNetwork)
  const drawn = await identifierOf(deps, input)
  const { address } = principal
  const { keys = [] } = registration
  const provenKids = await verifyKeyProofs(deps, { keys, keyProofs, agentName: drawn, now })
  let lost: string[] = []
  const onKeysLost = (agentIds: string[]) => {
    lost = agentIds
  }
  const agent = await once(async () => {
    await deps.budgets.ofNetwork.take(ip, now)
    const stored = { svcId: drawn, registration, provenKids, address, network: networkOf(ip), now }
    return storeNewAgent(deps, { ...stored, onKeysLost })
  })
  // The stored identifier, if this request repeats one that was interrupted after its commit.
  const { svcId } = agent
  for (const changed of [svcId, ...lost]) deps.onAgentChanged(changed)
  await deps.publishFile(svcId)
  const { agentCardUrl, registrationFileUrl } = buildAgentLinks(settings.publicUrl, svcId)
  const { trustScore } = await deps.assessAgent(agent, now)
  return {
    kyaAgentId: svcId,
    svcId,
    trustScore,
    name: agent.name,
    agentStatus: agent.status,
    blockchainStatus: agent.blockchainStatus,
    blockchainDelay: (await readBlockchainDelay(deps, agent)) ?? undefined,
    agentCardUrl,
    registrationFileUrl,
  }
}

async function identifierOf(deps: RegisterAgentDeps, input: RegisterAgentInput): Promise<string> {
  const { principal, registration, keyProofs, now } = input
  const { onChain: consent } = registration
  if (consent === null && keyProofs.length === 0) {
    return encodeAgentIdentifier(deps.settings.randomBytes(16))
  }
  if (principal.nonce.length < NONCE_LENGTH_MIN) {
    const [pointer, what] = consent === null ? ['/keyProofs', 'proofs of keys'] : ['/onChain', 'a consent']
    const message = `with ${what} the header X-Svc-Nonce has at least ${NONCE_LENGTH_MIN} characters`
    throw validationError([{ pointer, code: 'nonce_too_short', message }])
  }
  const svcId = deriveAgentIdentifier(principal.address, principal.nonce)
  if (consent !== null) await checkConsent(deps, { svcId, owner: principal.address, consent, now })
  return svcId
}

type Trx = Parameters<AgentStore['insert']>[0]

export type StoreNewAgentDeps = AddAgentDeps & {
  db: Pick<Db, 'transaction'>
  /** Finds or creates the account of a signing key. */
  ensureOwner(input: {
    trx: Trx
    address: `0x${string}`
    now: number
  }): Promise<{ id: string; developerId: string }>
  budgets: RegistrationBudgets
}

type StoreNewAgentInput = {
  svcId: string
  registration: AgentRegistration
  provenKids: ReadonlySet<string>
  address: `0x${string}`
  network: string
  now: number
  /** Called with the agents that lost a key. Not part of the result, which is stored for a repetition. */
  onKeysLost: (agentIds: string[]) => void
}

/**
 * Stores a signed registration in one transaction: the signer's account and the agent, whose token the signer will own.
 * Beyond the account's budget, neither is stored.
 *
 * @throws ApiError nonce_reused as `addAgent`; RATE_LIMITED.
 */
async function storeNewAgent(
  deps: StoreNewAgentDeps,
  { address, onKeysLost, ...input }: StoreNewAgentInput,
): Promise<AgentRow> {
  const signerAddress = address.toLowerCase() as `0x${string}`
  // The transaction may run again, and the budget is counted elsewhere.
  let isCounted = false
  return deps.db.transaction(
    async (trx) => {
      const { id, developerId } = await deps.ensureOwner({ trx, address, now: input.now })
      if (!isCounted) await deps.budgets.ofAccount.take(id, input.now)
      isCounted = true
      const owned = { ownerId: developerId, signerAddress, tokenOwner: address }
      const { agent, lost } = await addAgent(deps, trx, { ...input, ...owned })
      onKeysLost(lost)
      return agent
    },
    namesOf(input, signerAddress),
  )
}

/** A sub-agent depends on all of its ancestors, so it is stored while nothing else changes. */
function namesOf(
  { svcId, registration: { parentAgentId, keys = [] } }: Omit<StoreNewAgentInput, 'address' | 'onKeysLost'>,
  signer: string,
): LockName[] | undefined {
  if (parentAgentId) return undefined
  const names = keys.map((key) => `key ${computeKeyThumbprint(key)}` as const)
  return [`account ${signer}`, `agent ${svcId}`, ...names]
}
