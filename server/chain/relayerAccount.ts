import type { LocalAccount } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { LOCAL_CHAIN_KEY } from './localNetwork.ts'

/** The account that pays: that of the configured key, or the first of the local chain. */
export function accountOf(privateKey: `0x${string}` = LOCAL_CHAIN_KEY): LocalAccount {
  return privateKeyToAccount(privateKey)
}
