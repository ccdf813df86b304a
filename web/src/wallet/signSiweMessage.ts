import { getAddress } from 'viem'
import { createSiweMessage } from 'viem/siwe'
import { callApi } from '../api/callApi.ts'
import type { WalletProvider } from './askWallet.ts'
import { askAccounts, signText } from './signText.ts'

/** The body of `POST /api/auth/siwe`. */
type SignedMessage = { message: string; signature: string }

/**
 * Asks a wallet to sign a Sign-In with Ethereum message for this site; the wallet shows the whole message.
 *
 * @param statement The purpose of the signature, shown to the user.
 * @throws ApiFailure if the wallet rejects or has no account. Source: EIP-4361, EIP-191 (`personal_sign`).
 */
export async function signSiweMessage(provider: WalletProvider, statement: string): Promise<SignedMessage> {
  const [account] = await askAccounts(provider)
  const [{ nonce }, { chainId }] = await Promise.all([
    callApi('GET /api/auth/siwe/nonce'),
    callApi('GET /api/chain'),
  ])
  const { host, origin } = window.location
  const message = createSiweMessage({
    address: getAddress(account),
    chainId,
    domain: host,
    uri: origin,
    nonce,
    statement,
    version: '1',
  })
  return { message, signature: await signText(provider, message, account) }
}
