import type { SessionGrant } from '../accounts/grantSession.ts'
import type { CheckSiweMessageInput } from './checkSiweMessage.ts'
import type { LinkedWallet, LinkWalletInput } from './linkWallet.ts'

/** The use cases around wallets, with their dependencies bound. */
export type WalletServices = {
  giveNonce(input: { now: number }): Promise<string>
  signIn(input: CheckSiweMessageInput): Promise<SessionGrant>
  link(input: LinkWalletInput): Promise<LinkedWallet>
}
