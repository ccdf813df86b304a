import type { SessionGrant } from '../accounts/grantSession.ts'
import type { LinkedWallet, LinkWalletInput } from './linkWallet.ts'
import type { SignInByWalletInput } from './signInByWallet.ts'
import type { UnlinkWalletInput } from './unlinkWallet.ts'

/** The use cases around wallets, with their dependencies bound. */
export type WalletServices = {
  giveNonce(input: { now: number }): Promise<string>
  signIn(input: SignInByWalletInput): Promise<SessionGrant>
  link(input: LinkWalletInput): Promise<LinkedWallet>
  unlink(input: UnlinkWalletInput): Promise<void>
}
