import { getAddress } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { createSiweMessage } from 'viem/siwe'
import { callService } from './callService.ts'

/**
 * Links a wallet to the account of a session (EIP-4361): what the wallet registers belongs to the account.
 *
 * The message names the service by its own address, which may differ from the one it was reached at. A dashboard with an
 * address of its own (`APP_URL`) is not published, so such a service refuses.
 */
export async function linkWallet(baseUrl: string, bearer: string, wallet: PrivateKeyAccount): Promise<void> {
  const { nonce } = await callService(baseUrl, 'GET', '/api/auth/siwe/nonce', { bearer })
  const { chainId } = await callService(baseUrl, 'GET', '/api/chain')
  const { policy_decision_point: own } = await callService(
    baseUrl,
    'GET',
    '/.well-known/authzen-configuration',
  )
  const { host, origin } = new URL(own)
  const about = { chainId, domain: host, uri: origin, nonce, version: '1' as const }
  const message = createSiweMessage({ address: getAddress(wallet.address), ...about })
  const signature = await wallet.signMessage({ message })
  await callService(baseUrl, 'POST', '/api/auth/siwe', { bearer, body: { message, signature } })
}
