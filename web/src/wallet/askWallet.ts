import { ApiFailure } from '../api/apiFailure.ts'

/** The person said no in the wallet. Source: EIP-1193 "Provider Errors". */
const REJECTED = 4001

/**
 * Asks a wallet for something and answers what it says.
 *
 * @throws ApiFailure when it refuses or cannot. Source: EIP-1193.
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
      throw new ApiFailure('WALLET_REJECTED', 'The wallet was not used: the request was refused in it.')
    }
    throw new ApiFailure('WALLET_FAILED', `The wallet could not be used${message ? `: ${message}` : '.'}`)
  }
}

/** What a wallet in the browser answers to. Source: EIP-1193. */
export type WalletProvider = { request(call: { method: string; params?: unknown[] }): Promise<unknown> }

/** One wallet of this browser. Source: EIP-6963. */
export type WalletChoice = {
  id: string
  name: string
  /** Image as a data URL; null when it gave none. */
  icon: string | null
  provider: WalletProvider
}
