import { ApiFailure } from '../api/apiFailure.ts'

/** Error code of a request that the user rejected. Source: EIP-1193 "Provider Errors". */
const REJECTED = 4001

/**
 * Sends a request to a wallet and returns its result.
 *
 * @throws ApiFailure if the user rejects the request or the wallet fails. Source: EIP-1193.
 */
export async function askWallet(
  provider: WalletProvider,
  method: string,
  params?: unknown[],
): Promise<unknown> {
  try {
    return await provider.request(params === undefined ? { method } : { method, params })
  } catch (error) {
    const { code, message } = (error ?? {}) as { code?: number; message?: string }
    if (code === REJECTED) {
      throw new ApiFailure('WALLET_REJECTED', 'The request was rejected in the wallet.')
    }
    throw new ApiFailure('WALLET_FAILED', `The wallet request failed${message ? `: ${message}` : '.'}`)
  }
}

/** The provider of a browser wallet. Source: EIP-1193. */
export type WalletProvider = { request(call: { method: string; params?: unknown[] }): Promise<unknown> }

/** A wallet in this browser. Source: EIP-6963. */
export type WalletChoice = {
  id: string
  name: string
  /** Image as a data URL; null if it has none. */
  icon: string | null
  provider: WalletProvider
}
