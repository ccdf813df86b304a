import { z } from 'zod'
import { parseInput } from '../../middleware/parseInput.ts'
import { type GiveSiweNonceDeps, giveSiweNonce } from '../../services/wallets/giveSiweNonce.ts'
import { type LinkWalletDeps, linkWallet } from '../../services/wallets/linkWallet.ts'
import { type SignInByWalletDeps, signInByWallet } from '../../services/wallets/signInByWallet.ts'
import { type UnlinkWalletDeps, unlinkWallet } from '../../services/wallets/unlinkWallet.ts'
import { callerOf } from '../border/callerOf.ts'
import { clientOf } from '../border/clientOf.ts'
import { operation } from '../operation.ts'
import { accountSchemas } from './accountSchemas.ts'

/** Source: api.md "Accounts"; EIP-4361. */
export const getSiweNonce = operation({
  summary: 'Gives a nonce for an EIP-4361 message: good once, for five minutes.',
  answer: z.object({ success: z.literal(true), nonce: z.string() }),
  errors: [],
  handle: (parts: { accounts: GiveSiweNonceDeps }) => async (call) => ({
    headers: { 'Cache-Control': 'no-store' },
    body: { success: true, nonce: await giveSiweNonce(parts.accounts, { now: call.now }) },
  }),
})

const body = z.object({
  message: z.string().min(1).max(4096),
  /** What a contract wallet accepts may be longer than a key's 65 bytes. */
  signature: z
    .string()
    .max(4098)
    .regex(/^0x([0-9a-fA-F]{2})+$/, 'expected bytes as 0x-hex'),
})

/** Source: api.md "Accounts"; EIP-4361, ERC-1271. */
export const postSiwe = operation({
  summary: 'Signs in with a wallet (EIP-4361), or, in a session, links the wallet to the account.',
  body,
  answer: z.union([
    accountSchemas.session,
    z.object({ success: z.literal(true), address: z.string(), movedAgents: z.array(z.string()) }),
  ]),
  errors: [
    'VALIDATION_ERROR',
    'invalid_signature',
    'signature_expired',
    'nonce_reused',
    'ELEVATION_REQUIRED',
    'INVALID_STATE',
    'CHAIN_UNAVAILABLE',
  ],
  handle: (parts: { accounts: LinkWalletDeps & SignInByWalletDeps }) => async (call) => {
    const input = { ...parseInput(body, call.body), now: call.now }
    const { principal } = call
    if (principal.kind === 'session') {
      return { body: { success: true, ...(await linkWallet(parts.accounts, { ...input, principal })) } }
    }
    const data = await signInByWallet(parts.accounts, { ...input, client: clientOf(call) })
    return { body: { success: true, data } }
  },
})

/** Source: docs/decisions/0008. */
export const deleteWallet = operation({
  summary: 'Takes a wallet from the account, unless nothing else signs in to it; its agents stay.',
  answer: z.object({ success: z.literal(true), address: z.string() }),
  errors: ['NOT_FOUND', 'INVALID_STATE', 'ELEVATION_REQUIRED'],
  handle: (parts: { accounts: UnlinkWalletDeps }) => async (call) => {
    const principal = callerOf(call, 'session')
    const address = call.params.address ?? ''
    await unlinkWallet(parts.accounts, { principal, address, now: call.now })
    return { body: { success: true, address: address.toLowerCase() } }
  },
})
