import { ApiFailure } from '../api/apiFailure.ts'
import type { WalletProvider } from './walletChoice.ts'

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
