import { sha256Hex } from '@svc/core/hash.ts'
import { buildSignedRequestMessage } from '@svc/core/signing/buildSignedRequestMessage.ts'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { type HttpAnswer, openAccounts } from './openAccounts.ts'

export const PATH = '/api/test/signatureOrApiKey'
export const INVALID = [401, 'invalid_signature']

export const owner = privateKeyToAccount(generatePrivateKey())
/** A smart-contract wallet that accepts the signatures of `owner`, and the signature 0x1234. */
export const wallet = '0x00000000000000000000000000000000000C0DE1'

type Parts = {
  method: string
  path: string
  timestamp: number | string
  nonce: string
  body: string
  by: typeof owner
  service: string
}

export type Signed = { headers: Record<string, string>; body: string }

export const withHeaders = (signed: Signed, headers: Record<string, string>) => ({
  ...signed,
  headers: { ...signed.headers, ...headers },
})
/** The status of an answer, and the code of its error. */
export const outcome = ({ status, body }: HttpAnswer) => [status, body.code]

export type SignedRequests = Awaited<ReturnType<typeof openSignedRequests>>

/** Opens accounts beside a contract wallet, and signs requests to them. */
export async function openSignedRequests() {
  /** What the wallet was asked to accept. */
  const asked: { address: Hex; signature: Hex }[] = []
  const accounts = await openAccounts({
    async verifyContractSignature({ address, hash, signature }) {
      asked.push({ address, signature })
      if (address.toLowerCase() !== wallet.toLowerCase()) return false
      return signature === '0x1234' || (signature.length === 132 && hash.length === 66)
    },
  })
  let nonces = 0
  const seconds = () => accounts.time.now / 1000

  async function sign(changes: Partial<Parts> = {}) {
    nonces += 1
    const parts = { method: 'POST', path: PATH, timestamp: seconds(), nonce: `n${nonces}`, body: '{"a":1}' }
    const { by = owner, service, body, ...rest } = { ...parts, ...changes }
    const message = buildSignedRequestMessage({ ...rest, service, bodySha256Hex: sha256Hex(body) })
    const headers: Record<string, string> = {
      'X-Svc-Signature': await by.signMessage({ message }),
      'X-Svc-Timestamp': String(rest.timestamp),
      'X-Svc-Nonce': rest.nonce,
      ...(service === undefined ? {} : { 'X-Svc-Address': by.address, 'X-Svc-Service': service }),
    }
    return { headers, body, message }
  }

  const send = ({ headers, body }: Signed) => accounts.call('POST', PATH, { headers, body })
  return { accounts, asked, seconds, sign, send }
}
