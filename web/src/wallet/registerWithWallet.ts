import { sha256Hex } from '@svc/core/hash.ts'
import { buildSignedRequestMessage } from '@svc/core/signing/buildSignedRequestMessage.ts'
import { sendRequest } from '../api/request.ts'
import type { WalletProvider } from './askWallet.ts'
import { askAccounts, signText } from './signText.ts'

/** A registered agent and the address of the key that owns it. Source: Spec: POST /api/agents/register. */
export type RegisteredAgent = { svcId: string; name: string; trustScore: number; owner: string }

const PATH = '/api/agents/register'

/**
 * Registers an agent with a wallet signature; the wallet shows the text to be signed.
 *
 * @param agent The registration as the wizard built it; the service validates it.
 * @throws ApiFailure if the wallet rejects, has no account, or the service refuses.
 * Source: EIP-191 (`personal_sign`).
 */
export async function registerWithWallet(provider: WalletProvider, agent: object): Promise<RegisteredAgent> {
  const [owner] = await askAccounts(provider)
  const timestamp = String(Math.floor(Date.now() / 1000))
  const nonce = createNonce()
  const bodySha256Hex = sha256Hex(JSON.stringify(agent))
  const service = window.location.origin
  const request = { method: 'POST', path: PATH, timestamp, nonce, bodySha256Hex, service }
  const message = buildSignedRequestMessage(request)
  const signature = await signText(provider, message, owner)
  const answer = await sendRequest(
    'POST /api/agents/register',
    {
      body: agent,
      headers: {
        'X-Svc-Signature': signature,
        'X-Svc-Timestamp': timestamp,
        'X-Svc-Nonce': nonce,
        'X-Svc-Address': owner,
        'X-Svc-Service': service,
      },
    },
    { token: null },
  )
  return { ...answer.data.agent, owner }
}

/** Draws 128 random bits; `crypto.randomUUID` is unavailable over plain HTTP. */
function createNonce(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
}
