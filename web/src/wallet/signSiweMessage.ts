import { getAddress, stringToHex } from 'viem'
import { createSiweMessage } from 'viem/siwe'
import { ApiFailure } from '../api/apiFailure.ts'
import { callApi } from '../api/callApi.ts'
import type { Chain } from '../api/types.ts'
import type { WalletProvider } from './walletChoice.ts'

/** The person said no in the wallet. Source: EIP-1193 "Provider Errors". */
const REJECTED = 4001

/** What `POST /api/auth/siwe` takes. */
type SignedMessage = { message: string; signature: string }

/**
 * Has a wallet sign a message to this site; the wallet shows all of it to its owner.
 *
 * @param statement What the signature is for, in words.
 * @throws ApiFailure when the wallet refuses or holds no account. Source: EIP-4361, EIP-191 (`personal_sign`).
 */
export async function signSiweMessage(provider: WalletProvider, statement: string): Promise<SignedMessage> {
  const accounts = await ask(provider, 'eth_requestAccounts')
  const account: unknown = Array.isArray(accounts) ? accounts[0] : undefined
  if (typeof account !== 'string') throw new ApiFailure('WALLET_EMPTY', 'The wallet offers no account.')
  const [{ nonce }, { chainId }] = await Promise.all([
    callApi<{ nonce: string }>({ method: 'GET', path: '/api/auth/siwe/nonce' }),
    callApi<Chain>({ method: 'GET', path: '/api/chain' }),
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
  const signature = await ask(provider, 'personal_sign', [stringToHex(message), account])
  if (typeof signature !== 'string') throw new ApiFailure('WALLET_FAILED', 'The wallet gave no signature.')
  return { message, signature }
}

async function ask(provider: WalletProvider, method: string, params?: unknown[]): Promise<unknown> {
  try {
    return await provider.request(params === undefined ? { method } : { method, params })
  } catch (error) {
    const { code, message } = (error ?? {}) as { code?: number; message?: string }
    if (code === REJECTED) {
      throw new ApiFailure('WALLET_REJECTED', 'The wallet was not used: the request was refused in it.')
    }
    throw new ApiFailure('WALLET_FAILED', `The wallet could not be used${message ? `: ${message}` : '.'}`)
  }
}
