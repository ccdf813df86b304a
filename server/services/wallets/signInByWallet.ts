import type { Session as SessionGrant } from '@svc/core/contract/accounts.ts'
import type { SessionClient } from '../../store/accounts/sessionStore.ts'
import type { User } from '../../store/accounts/userStore.ts'
import type { Db } from '../../store/database/database.ts'
import type { EnsureWalletAccountInput } from '../accounts/ensureWalletAccount.ts'
import { type GrantSessionDeps, grantSession } from '../accounts/grantSession.ts'
import { type OpenSessionDeps, openSession } from '../accounts/openSession.ts'
import {
  type CheckSiweMessageDeps,
  type CheckSiweMessageInput,
  checkSiweMessage,
} from './checkSiweMessage.ts'
import { type TakeSiweNonceDeps, takeSiweNonce } from './giveSiweNonce.ts'

export type SignInByWalletDeps = TakeSiweNonceDeps & {
  siwe: CheckSiweMessageDeps
  session: OpenSessionDeps & GrantSessionDeps
  ensureWalletAccount(input: EnsureWalletAccountInput): Promise<User>
  transaction: Db['transaction']
}

export type SignInByWalletInput = CheckSiweMessageInput & { client: SessionClient }

/**
 * Signs in with a wallet: to the account that it is linked to, otherwise to its own, created by a registration signed with
 * the same key or now.
 *
 * @throws ApiError VALIDATION_ERROR, invalid_signature, signature_expired, nonce_reused, ACCOUNT_SUSPENDED. Source:
 * EIP-4361.
 */
export async function signInByWallet(
  deps: SignInByWalletDeps,
  input: SignInByWalletInput,
): Promise<SessionGrant> {
  const { client, now } = input
  const { address, nonce } = await checkSiweMessage(deps.siwe, input)
  const opened = await deps.transaction(async (trx) => {
    await takeSiweNonce(deps, trx, nonce, now)
    const user = await deps.ensureWalletAccount({ trx, address, now })
    const signIn = { user, amr: WALLET_AMR, walletAddress: address, client, now }
    return { user, ...(await openSession(deps.session, trx, signIn)) }
  })
  return grantSession(deps.session, { ...opened, now })
}

/** `amr` of a session opened by a wallet: a key was proven, but not who held it. Source: RFC 8176 §2. */
export const WALLET_AMR = ['pop']
