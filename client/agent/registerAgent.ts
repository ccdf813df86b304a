import { hexOfBytes } from '@svc/core/bytes.ts'
import { agentIdentifier, agentIdentifierPreimage } from '@svc/core/ids/identifiers.ts'
import { registerForTypedData } from '@svc/core/signing/registerForTypedData.ts'
import { createSender, type Send, type SenderConfig } from '../http/createSender.ts'
import { SvcApiError } from '../http/svcApiError.ts'
import type { AgentRegistration } from './agentRegistration.ts'
import { sha256 } from './sha256.ts'
import { type MessageSigner, signRequest } from './signRequest.ts'

type TypedData = ReturnType<typeof registerForTypedData>

/** The owner's key; a local account of viem is one. Without `signTypedData` the relayer mints and transfers instead. */
export type OwnerAccount = MessageSigner & { signTypedData?(typedData: TypedData): Promise<`0x${string}`> }

/** What it takes to register an agent. */
export type RegisterAgentInput = Omit<SenderConfig, 'headers'> & {
  account: OwnerAccount
  agent: AgentRegistration
  /** How long the relayer may take to mint, in seconds; default a day. */
  consentSeconds?: number
  /**
   * Names this registration for 24 hours: a call with the same key, account and agent answers the agent of the first
   * instead of registering another. Printable ASCII without spaces, at most 255 characters, such as a UUID; draw one for an
   * agent and keep it until a call has answered.
   */
  idempotencyKey?: string
}

/** A registered agent. Source: Spec: POST /api/agents/register. */
export type RegisteredAgent = {
  kyaAgentId: string
  svcId: string
  trustScore: number
  name: string
  agentStatus: string
  blockchainStatus: string
  agentCardUrl: string
  registrationFileUrl: string
}

/** Answer of `GET /api/chain/owners/:address`. */
type ChainOwner = {
  nonce: string
  chainId: number
  identityRegistry: `0x${string}`
  agentUriTemplate: string
}

type Consent = { deadline: string; signature: `0x${string}` }

const PATH = '/api/agents/register'
const CONSENT_SECONDS_DEFAULT = 86_400
/** As many as one key registers at once, hardly ever more than two. */
const TRIES_MAX = 5

/**
 * Registers an agent in one call, signed by its owner's key, which needs no account, no gas and no wallet transaction.
 *
 * The key signs twice: the request itself, and (EIP-712) that the registry may mint the agent's token in the owner's
 * name, at the relayer's cost. An account that cannot sign typed data, or a chain that does not answer just now,
 * leaves the second out; the owner gets the token all the same, by mint and transfer.
 *
 * After TIMEOUT or NETWORK_ERROR nobody knows whether the agent is registered: call again with the same `idempotencyKey`.
 * Without one every call registers another agent.
 *
 * @throws SvcApiError, such as VALIDATION_ERROR, with the fields it is about; IDEMPOTENCY_CONFLICT when the key stands for
 *   another agent, or, with `retryAfterSeconds`, when the call before is still being worked on.
 *
 * Source: Spec: POST /api/agents/register; Spec: Authentication 7; onchain.md "Additions" (`registerFor`).
 */
export async function registerAgent(input: RegisterAgentInput): Promise<RegisteredAgent> {
  const send = createSender({ ...input, baseUrl: input.baseUrl.replace(/\/+$/, '') })
  for (let tries = 1; ; tries += 1) {
    try {
      return await registerOnce(send, input)
    } catch (error) {
      if (!isConsentOvertaken(error) || tries === TRIES_MAX) throw error
    }
  }
}

async function registerOnce(send: Send, input: RegisterAgentInput): Promise<RegisteredAgent> {
  const { account, agent, consentSeconds = CONSENT_SECONDS_DEFAULT, idempotencyKey } = input
  const nonce = crypto.randomUUID()
  const onChain = await signConsent(send, account, nonce, consentSeconds)
  const body = JSON.stringify(onChain === null ? agent : { ...agent, onChain })
  const signed = await signRequest(account, { method: 'POST', path: PATH, body, nonce })
  const answer = await send<{ data: { agent: RegisteredAgent } }>({
    method: 'POST',
    path: PATH,
    body,
    headers: idempotencyKey === undefined ? signed : { ...signed, 'Idempotency-Key': idempotencyKey },
    repeat: 'never',
  })
  return answer.data.agent
}

/** The consents of one owner are numbered, and another of the same key came first. */
function isConsentOvertaken(error: unknown): boolean {
  if (!(error instanceof SvcApiError) || error.code !== 'VALIDATION_ERROR') return false
  return error.errors.length > 0 && error.errors.every(({ pointer }) => pointer === '/onChain/signature')
}

async function signConsent(
  send: Send,
  account: OwnerAccount,
  nonce: string,
  consentSeconds: number,
): Promise<Consent | null> {
  if (account.signTypedData === undefined) return null
  const owner = await readChainOwner(send, account.address)
  if (owner === null) return null
  const digest = await sha256(agentIdentifierPreimage(account.address, nonce))
  const svcId = agentIdentifier(digest.subarray(0, 16))
  const deadline = Math.floor(Date.now() / 1000) + consentSeconds
  const typedData = registerForTypedData({
    chainId: owner.chainId,
    verifyingContract: owner.identityRegistry,
    owner: account.address,
    agentURI: owner.agentUriTemplate.replace('{svcId}', svcId),
    metadata: [{ metadataKey: 'svcId', metadataValue: hexOfBytes(new TextEncoder().encode(svcId)) }],
    nonce: BigInt(owner.nonce),
    deadline: BigInt(deadline),
  })
  return { deadline: String(deadline), signature: await account.signTypedData(typedData) }
}

async function readChainOwner(send: Send, address: string): Promise<ChainOwner | null> {
  try {
    return await send<ChainOwner>({ method: 'GET', path: `/api/chain/owners/${address}`, repeat: 'always' })
  } catch (error) {
    if (error instanceof SvcApiError && error.code === 'CHAIN_UNAVAILABLE') return null
    throw error
  }
}
