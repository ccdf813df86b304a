import { randomUUID } from 'node:crypto'
import { buildSignatureBase, buildSignatureParams } from '@svc/core/signing/signatureBase.ts'
import { listRequiredComponents } from '@svc/core/signing/signatureProfile.ts'
import type { LocalAccount } from 'viem'

/** Signs a GET as an agent with an Ethereum account would (ERC-8128), and returns what the counterparty reports. */
export async function signAsAccount(
  account: LocalAccount,
  { name, url, created }: { name: string; url: string; created: number },
) {
  const components = listRequiredComponents({
    hasQuery: false,
    hasBody: false,
    hasSignatureAgent: false,
  }).map((component) => ({ name: component }))
  const params = buildSignatureParams(components, {
    ...{ created, expires: created + 60, nonce: randomUUID() },
    ...{ keyid: `erc8128:31337:${account.address}`, alg: undefined, tag: 'web-bot-auth' },
  })
  const base = buildSignatureBase(components, params, {
    ...{ method: 'GET', authority: new URL(url).host, targetUri: url, headers: { 'x-svc-id': name } },
  })
  const bytes = Buffer.from((await account.signMessage({ message: base })).slice(2), 'hex')
  return {
    ...{ signature: `svc=:${bytes.toString('base64')}:`, signatureInput: `svc=${params}` },
    ...{ method: 'GET', targetUri: url, 'x-svc-id': name },
  }
}
