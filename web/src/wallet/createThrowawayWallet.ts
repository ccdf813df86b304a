import { ApiFailure } from '../api/apiFailure.ts'
import type { WalletProvider } from './askWallet.ts'

/**
 * Creates a wallet with a new key that exists only in the memory of this page and is lost with it.
 *
 * Source: EIP-1193, EIP-191 (`personal_sign`).
 */
export async function createThrowawayWallet(): Promise<WalletProvider> {
  const { generatePrivateKey, privateKeyToAccount } = await import('viem/accounts')
  const account = privateKeyToAccount(generatePrivateKey())
  return {
    async request({ method, params: [raw] = [] }) {
      if (method === 'eth_requestAccounts') return [account.address]
      if (method === 'personal_sign') return account.signMessage({ message: { raw: raw as `0x${string}` } })
      throw new ApiFailure('WALLET_FAILED', `The wallet does not support ${method}.`)
    },
  }
}
