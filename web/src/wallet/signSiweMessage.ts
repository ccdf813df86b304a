import { getAddress, stringToHex } from 'viem'
import { createSiweMessage } from 'viem/siwe'
import { ApiFailure } from '../api/apiFailure.ts'
import { callApi } from '../api/callApi.ts'
import { askWallet, type WalletProvider } from './askWallet.ts'

/** The body of `POST /api/auth/siwe`. */
type SignedMessage = { message: string; signature: string }

/**
 * Asks a wallet to sign a Sign-In with Ethereum message for this site; the wallet shows the whole message.
 *
 * @param statement The purpose of the signature, shown to the user.
 * @throws ApiFailure if the wallet rejects or has no account. Source: EIP-4361, EIP-191 (`personal_sign`).
 */
export async function signSiweMessage(provider: WalletProvider, statement: string): Promise<SignedMessage> {
  const accounts = await askWallet(provider, 'eth_requestAccounts')
  const account: unknown = Array.isArray(accounts) ? accounts[0] : undefined
  if (typeof account !== 'string')
    throw new ApiFailure('WALLET_EMPTY', 'The wallet has no account available.')
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
  const signature = await askWallet(provider, 'personal_sign', [stringToHex(message), account])
  if (typeof signature !== 'string')
    throw new ApiFailure('WALLET_FAILED', 'The wallet returned no signature.')
  return { message, signature }
}
