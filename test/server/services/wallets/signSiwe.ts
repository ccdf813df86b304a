import type { PrivateKeyAccount } from 'viem/accounts'
import { createSiweMessage } from 'viem/siwe'
import { APP_URL, CHAIN_ID, type OpenAccounts } from '../accounts/openAccounts.ts'

/** Builds what a wallet sends to sign in or to be linked: a message with a new nonce, and its signature. */
export async function signSiwe(accounts: OpenAccounts, wallet: PrivateKeyAccount) {
  const { nonce } = (await accounts.call('GET', '/api/auth/siwe/nonce')).body
  const message = createSiweMessage({
    domain: new URL(APP_URL).host,
    address: wallet.address,
    uri: APP_URL,
    version: '1',
    chainId: CHAIN_ID,
    nonce,
    issuedAt: new Date(accounts.time.now),
  })
  return { message, signature: await wallet.signMessage({ message }) }
}
