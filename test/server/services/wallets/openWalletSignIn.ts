import type { Hex } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { createSiweMessage } from 'viem/siwe'
import type { VerifyContractSignature } from '../../../../server/external/signatureVerifier.ts'
import { enrolPasskey } from '../../../builders/enrolPasskey.ts'
import { APP_URL, CHAIN_ID, openAccounts } from '../accounts/openAccounts.ts'
import { register } from '../accounts/person.ts'

/** The site named in the messages of these tests. */
export const SITE = new URL(APP_URL)

type Fields = Parameters<typeof createSiweMessage>[0]

/** The scene of the wallet tests, so that they can declare it before it is open. */
export type WalletSignIn = Awaited<ReturnType<typeof openWalletSignIn>>

/** Accounts over HTTP to which wallets sign in; `standsBy` responds for contract wallets. */
export async function openWalletSignIn(standsBy: VerifyContractSignature | null) {
  const accounts = await openAccounts({ verifyContractSignature: standsBy })
  let people = 0

  const newKey = () => privateKeyToAccount(generatePrivateKey())
  const nonce = async () => (await accounts.call('GET', '/api/auth/siwe/nonce')).body.nonce as string
  const person = () => {
    people += 1
    return register(accounts, `wallets${people}`)
  }

  async function messageOf(address: Hex, changes: Partial<Fields> = {}): Promise<string> {
    return createSiweMessage({
      domain: SITE.host,
      address,
      uri: `${APP_URL}/sign-in`,
      version: '1',
      chainId: CHAIN_ID,
      nonce: changes.nonce ?? (await nonce()),
      issuedAt: new Date(accounts.time.now),
      ...changes,
    })
  }

  async function signed(key: PrivateKeyAccount, changes: Partial<Fields> = {}) {
    const message = await messageOf(key.address, changes)
    return { message, signature: await key.signMessage({ message }) }
  }

  const send = (body: object, bearer?: string, elevation?: string) =>
    accounts.call('POST', '/api/auth/siwe', {
      body,
      ...(bearer === undefined ? {} : { bearer }),
      ...(elevation === undefined ? {} : { headers: { 'X-Svc-Elevation': elevation } }),
    })
  const me = (bearer: string) => accounts.call('GET', '/api/me', { bearer })

  /** Enrols a passkey, and returns a function that obtains an elevation token with it. */
  async function passkeyOf({ accessToken }: { accessToken: string }) {
    return (await enrolPasskey(accounts.url, accessToken, APP_URL)).elevation
  }

  return { accounts, newKey, nonce, person, messageOf, signed, send, me, passkeyOf }
}
