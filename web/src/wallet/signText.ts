import { stringToHex } from 'viem'
import { ApiFailure } from '../api/apiFailure.ts'
import { askWallet, type WalletProvider } from './askWallet.ts'

/**
 * Asks a wallet for the accounts that it opens to this site, in its order.
 *
 * @throws ApiFailure if the user rejects, or there is none. Source: EIP-1193, EIP-1102 (`eth_requestAccounts`).
 */
export async function askAccounts(provider: WalletProvider): Promise<[string, ...string[]]> {
  const answer = await askWallet(provider, 'eth_requestAccounts')
  const [first, ...others] = (Array.isArray(answer) ? answer : []).filter((one) => typeof one === 'string')
  if (first === undefined) throw new ApiFailure('WALLET_EMPTY', 'The wallet has no account available.')
  return [first, ...others]
}

/**
 * Asks a wallet to sign a text with one of its accounts; the wallet shows the whole text.
 *
 * @returns The signature in hexadecimal with 0x.
 * @throws ApiFailure if the user rejects, or the wallet fails. Source: EIP-191 (`personal_sign`).
 */
export async function signText(provider: WalletProvider, text: string, account: string): Promise<string> {
  const signature = await askWallet(provider, 'personal_sign', [stringToHex(text), account])
  if (typeof signature !== 'string')
    throw new ApiFailure('WALLET_FAILED', 'The wallet returned no signature.')
  return signature
}
