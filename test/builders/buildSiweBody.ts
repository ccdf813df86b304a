import type { PrivateKeyAccount } from 'viem/accounts'
import { createSiweMessage } from 'viem/siwe'
import { api } from '../harness/service/api.ts'

/** Builds what a wallet sends to a started service to sign in or to be linked, with a new nonce. Source: EIP-4361. */
export async function buildSiweBody(
  baseUrl: string,
  account: PrivateKeyAccount,
): Promise<{ message: string; signature: string }> {
  const site = new URL(`http://localhost:${new URL(baseUrl).port}`)
  const { nonce } = (await api(baseUrl, 'GET', '/api/auth/siwe/nonce')).body
  const message = createSiweMessage({
    ...{ address: account.address, chainId: 31337, domain: site.host, uri: site.origin, version: '1' },
    nonce,
    issuedAt: new Date(),
  })
  return { message, signature: await account.signMessage({ message }) }
}
