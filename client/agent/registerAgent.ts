import { encodeHex } from '@svc/core/bytes.ts'
import { buildAgentIdentifierPreimage, encodeAgentIdentifier } from '@svc/core/ids/identifiers.ts'
import { buildRegisterForTypedData } from '@svc/core/signing/buildRegisterForTypedData.ts'
import { createSender, type Send, type SenderConfig } from '../http/createSender.ts'
import { parseBaseUrl } from '../http/parseBaseUrl.ts'
import { sha256 } from '../http/sha256.ts'
import { SvcApiError } from '../http/svcApiError.ts'
import type { AgentRegistration } from './agentRegistration.ts'
import { chooseService, type ServiceChoice } from './chooseService.ts'
import { type MessageSigner, signRequest } from './signRequest.ts'

type TypedData = ReturnType<typeof buildRegisterForTypedData>

/** The owner's key, such as a local account of viem. Without `signTypedData` the relayer mints and transfers instead. */
export type OwnerAccount = MessageSigner & { signTypedData?(typedData: TypedData): Promise<`0x${string}`> }

/** Input of `registerAgent`. */
export type RegisterAgentInput = Omit<SenderConfig, 'headers' | 'baseUrl'> &
  ServiceChoice & {
    /** Ends in `/api`. */
    apiBaseUrl?: string | undefined
    /**
     * The same without `/api`.
     *
     * @deprecated Pass `apiBaseUrl`, as everywhere else.
     */
    baseUrl?: string | undefined
    account: OwnerAccount
    agent: AgentRegistration
    /**
     * Creates proofs that the caller holds `keys` of the agent, with `createKeyProof` for this identifier. A key that an
     * agent of another owner has without a proof then moves to this one.
     */
    keyProofs?: ((agentId: string) => Promise<readonly string[]>) | undefined
    /** How long the relayer has to mint, in seconds; default one day. */
    consentSeconds?: number | undefined
    /**
     * Makes the registration repeatable for 24 hours: a call with the same key, account and agent returns the agent of the
     * first call instead of registering another. At most 255 printable ASCII characters without spaces, such as a UUID.
     * Generate one per agent and keep it until a call has succeeded.
     */
    idempotencyKey?: string | undefined
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
/** Each other registration in progress with the same key can outdate one attempt; more than two at once are rare. */
const ATTEMPTS_MAX = 5

/**
 * Registers an agent in one call, signed with its owner's key. It needs no account, no gas and no wallet transaction.
 *
 * The key signs twice: the request itself, and the consent (EIP-712) to mint the agent's token in the owner's name at the
 * relayer's cost. The consent is left out if the account cannot sign typed data or the chain is unreachable; the relayer
 * then mints the token and transfers it to the owner.
 *
 * After TIMEOUT or NETWORK_ERROR it is unknown whether the agent is registered: call again with the same `idempotencyKey`.
 * Without one, every call registers another agent.
 *
 * @throws Error if `apiBaseUrl` is missing, cannot be called or does not end in `/api`.
 * @throws SvcApiError, such as VALIDATION_ERROR with the invalid fields, or IDEMPOTENCY_CONFLICT if the key was used for
 *   another agent or, with `retryAfterSeconds`, if the earlier call is still in progress.
 *
 * Source: Spec: POST /api/agents/register; Spec: Authentication 7.
 */
export async function registerAgent(input: RegisterAgentInput): Promise<RegisteredAgent> {
  const send = createSender({ ...input, baseUrl: baseUrlOf(input) })
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await registerOnce(send, input)
    } catch (error) {
      if (!isConsentOutdated(error) || attempts === ATTEMPTS_MAX) throw error
    }
  }
}

/** The signed path begins with `/api`, so the prefix ends before it. */
function baseUrlOf({ apiBaseUrl, baseUrl }: RegisterAgentInput): string {
  const given = apiBaseUrl ?? (baseUrl && `${baseUrl.replace(/\/+$/, '')}/api`)
  return parseBaseUrl(given).slice(0, -'/api'.length)
}

async function registerOnce(send: Send, input: RegisterAgentInput): Promise<RegisteredAgent> {
  const { account, agent, consentSeconds = CONSENT_SECONDS_DEFAULT, idempotencyKey } = input
  const nonce = crypto.randomUUID()
  const service = chooseService(input, baseUrlOf(input))
  const digest = await sha256(buildAgentIdentifierPreimage(account.address, nonce))
  const svcId = encodeAgentIdentifier(digest.subarray(0, 16))
  const onChain = await signConsent(send, account, { svcId, consentSeconds })
  const keyProofs = await input.keyProofs?.(svcId)
  const body = JSON.stringify({ ...agent, ...(onChain && { onChain }), keyProofs })
  const signed = await signRequest(account, { method: 'POST', path: PATH, body, nonce, service })
  const answer = await send<{ data: { agent: RegisteredAgent } }>({
    method: 'POST',
    path: PATH,
    body,
    headers: idempotencyKey === undefined ? signed : { ...signed, 'Idempotency-Key': idempotencyKey },
    retry: 'never',
    isAnswer: ({ data }) =>
      typeof (data as { agent?: { svcId?: unknown } } | null)?.agent?.svcId === 'string',
  })
  return answer.data.agent
}

/** The consent's nonce is outdated once another consent of the same owner has been used. */
function isConsentOutdated(error: unknown): boolean {
  if (!(error instanceof SvcApiError) || error.code !== 'VALIDATION_ERROR') return false
  return error.errors.length > 0 && error.errors.every(({ pointer }) => pointer === '/onChain/signature')
}

async function signConsent(
  send: Send,
  account: OwnerAccount,
  { svcId, consentSeconds }: { svcId: string; consentSeconds: number },
): Promise<Consent | null> {
  if (account.signTypedData === undefined) return null
  const owner = await readChainOwner(send, account.address)
  if (owner === null) return null
  const deadline = Math.floor(Date.now() / 1000) + consentSeconds
  const typedData = buildRegisterForTypedData({
    chainId: owner.chainId,
    verifyingContract: owner.identityRegistry,
    owner: account.address,
    agentURI: owner.agentUriTemplate.replace('{svcId}', svcId),
    metadata: [{ metadataKey: 'svcId', metadataValue: encodeHex(new TextEncoder().encode(svcId)) }],
    nonce: BigInt(owner.nonce),
    deadline: BigInt(deadline),
  })
  return { deadline: String(deadline), signature: await account.signTypedData(typedData) }
}

async function readChainOwner(send: Send, address: string): Promise<ChainOwner | null> {
  try {
    return await send<ChainOwner>({
      method: 'GET',
      path: `/api/chain/owners/${address}`,
      retry: 'always',
      isAnswer: isChainOwner,
    })
  } catch (error) {
    if (error instanceof SvcApiError && error.code === 'CHAIN_UNAVAILABLE') return null
    throw error
  }
}

function isChainOwner({ nonce, agentUriTemplate }: Readonly<Record<string, unknown>>): boolean {
  return typeof nonce === 'string' && /^\d+$/.test(nonce) && typeof agentUriTemplate === 'string'
}
