import type { Config } from '../config.ts'
import { readSiweMessage } from '../external/readSiweMessage.ts'
import type { SignatureVerifier } from '../external/signatureVerifier.ts'
import { type GiveSiweNonceDeps, giveSiweNonce } from '../services/wallets/giveSiweNonce.ts'
import { type LinkWalletDeps, linkWallet } from '../services/wallets/linkWallet.ts'
import type { MergeWalletAccountDeps } from '../services/wallets/mergeWalletAccount.ts'
import { type SignInByWalletDeps, signInByWallet } from '../services/wallets/signInByWallet.ts'
import { type UnlinkWalletDeps, unlinkWallet } from '../services/wallets/unlinkWallet.ts'
import type { WalletServices } from '../services/wallets/walletServices.ts'
import { createWalletMergeStore } from '../store/accounts/walletMergeStore.ts'
import { createAuditRecordStore } from '../store/audit/auditRecordStore.ts'
import type { Db } from '../store/database/database.ts'

export type ComposeWalletsDeps = {
  db: Db
  config: Pick<Config, 'appUrl'>
  chainId(): Promise<number>
  /** Of the accounts. */
  parts: Omit<GiveSiweNonceDeps & SignInByWalletDeps & LinkWalletDeps & UnlinkWalletDeps, 'siwe' | 'merge'> &
    Omit<MergeWalletAccountDeps, 'merges' | 'records'> & { signatures: SignatureVerifier }
}

/** Binds the use cases around wallets to the parts of the accounts. */
export function composeWallets({ db, config, chainId, parts }: ComposeWalletsDeps): WalletServices {
  const { signatures } = parts
  const siwe = { readSiweMessage, signatures, chainId, appUrl: config.appUrl }
  const merges = createWalletMergeStore()
  const records = createAuditRecordStore(db.query)
  const merge = { ...parts, merges, records }
  return {
    giveNonce: (input) => giveSiweNonce(parts, input),
    signIn: (input) => signInByWallet({ ...parts, siwe }, input),
    unlink: (input) => unlinkWallet(parts, input),
    link: (input) => linkWallet({ ...parts, siwe, merge }, input),
  }
}
