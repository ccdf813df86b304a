import { postSiweBody, walletOperations } from '@svc/core/contract/wallets.ts'
import { parseInput } from '../../middleware/parseInput.ts'
import { type GiveSiweNonceDeps, giveSiweNonce } from '../../services/wallets/giveSiweNonce.ts'
import { type LinkWalletDeps, linkWallet } from '../../services/wallets/linkWallet.ts'
import { type SignInByWalletDeps, signInByWallet } from '../../services/wallets/signInByWallet.ts'
import { type UnlinkWalletDeps, unlinkWallet } from '../../services/wallets/unlinkWallet.ts'
import { callerOf } from '../border/callerOf.ts'
import { clientOf } from '../border/clientOf.ts'
import { answerSession, SESSION_HEADER, type SessionCookieDeps } from '../border/sessionCookie.ts'
import { operation } from '../operation.ts'

/** Source: EIP-4361. */
export const getSiweNonce = operation({
  summary: 'Returns a nonce for one EIP-4361 message, valid for five minutes.',
  answer: walletOperations['GET /api/auth/siwe/nonce'].answer,
  errors: [],
  handle: (parts: { accounts: GiveSiweNonceDeps }) => async (call) => ({
    headers: { 'Cache-Control': 'no-store' },
    body: { success: true, nonce: await giveSiweNonce(parts.accounts, { now: call.now }) },
  }),
})

/** Source: EIP-4361, ERC-1271. */
export const postSiwe = operation({
  summary: 'Signs in with a wallet (EIP-4361) or, within a session, links the wallet to the account.',
  body: walletOperations['POST /api/auth/siwe'].body,
  headers: SESSION_HEADER,
  answer: walletOperations['POST /api/auth/siwe'].answer,
  errors: [
    'VALIDATION_ERROR',
    'invalid_signature',
    'WRONG_CHAIN',
    'signature_expired',
    'nonce_reused',
    'ELEVATION_REQUIRED',
    'INVALID_STATE',
    'CHAIN_UNAVAILABLE',
  ],
  handle: (parts: { accounts: LinkWalletDeps & SignInByWalletDeps & SessionCookieDeps }) => async (call) => {
    const input = { ...parseInput(postSiweBody, call.body), now: call.now }
    const { principal } = call
    if (principal.kind === 'session') {
      return { body: { success: true, ...(await linkWallet(parts.accounts, { ...input, principal })) } }
    }
    const data = await signInByWallet(parts.accounts, { ...input, client: clientOf(call) })
    return answerSession(parts.accounts, call, data)
  },
})

/** Source: docs/decisions/0008. */
export const deleteWallet = operation({
  summary: 'Unlinks a wallet, unless nothing else signs in to the account, which keeps its agents.',
  answer: walletOperations['DELETE /api/auth/wallets/:address'].answer,
  errors: ['NOT_FOUND', 'INVALID_STATE', 'ELEVATION_REQUIRED'],
  handle: (parts: { accounts: UnlinkWalletDeps }) => async (call) => {
    const principal = callerOf(call, 'session')
    const address = call.params.address ?? ''
    await unlinkWallet(parts.accounts, { principal, address, now: call.now })
    return { body: { success: true, address: address.toLowerCase() } }
  },
})
