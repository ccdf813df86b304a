import type { LocalAccount } from 'viem'
import { mnemonicToAccount, privateKeyToAccount } from 'viem/accounts'

/** The published phrase of every Hardhat development chain; its accounts are worth nothing anywhere else. */
const LOCAL_CHAIN_PHRASE = 'test test test test test test test test test test test junk'

/** The account that pays: that of the configured key, or the first of the local chain. */
export function relayerAccount(privateKey: `0x${string}` | undefined): LocalAccount {
  return privateKey === undefined ? mnemonicToAccount(LOCAL_CHAIN_PHRASE) : privateKeyToAccount(privateKey)
}
