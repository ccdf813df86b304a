import { encodeBase64Url } from '@svc/core/bytes.ts'
import type { AnswerOf } from '@svc/core/contract/operations.ts'
import { buildSignatureBase, buildSignatureParams } from '@svc/core/signing/signatureBase.ts'
import { sendRequest } from '../../../api/request.ts'
import type { NewAgentKeyPair } from '../../../parts/code/createAgentKey.ts'

const PATH = '/api/sample-counterparty'
const COMPONENTS = ['@authority', '@method', '@path', 'x-svc-id', 'x-svc-purpose'].map((name) => ({ name }))
const LIFETIME_SECONDS = 60
const ALGORITHMS = { Ed25519: { name: 'Ed25519' }, 'P-256': { name: 'ECDSA', hash: 'SHA-256' } } as const

type Sent = { svcId: string; purpose: string; origin: string }

/** Sends a request to the sample counterparty, signed by the agent's key. @throws ApiFailure. Source: RFC 9421. */
export async function sendFirstRequest(
  { kid, publicKey, privateKey }: NewAgentKeyPair,
  { svcId, purpose, origin }: Sent,
): Promise<AnswerOf<'GET /api/sample-counterparty'>> {
  const created = Math.floor(Date.now() / 1000)
  const nonce = encodeBase64Url(crypto.getRandomValues(new Uint8Array(16)))
  const times = { created, expires: created + LIFETIME_SECONDS, nonce }
  const params = buildSignatureParams(COMPONENTS, { ...times, keyid: kid, tag: 'web-bot-auth' })
  const targetUri = origin + PATH
  const headers = { 'x-svc-id': svcId, 'x-svc-purpose': purpose }
  const request = { method: 'GET', authority: new URL(origin).host, targetUri, headers }
  const base = new TextEncoder().encode(buildSignatureBase(COMPONENTS, params, request))
  const signed = await crypto.subtle.sign(ALGORITHMS[publicKey.crv], privateKey, base)
  const signature = btoa(String.fromCharCode(...new Uint8Array(signed)))
  return sendRequest(
    'GET /api/sample-counterparty',
    { headers: { ...headers, 'Signature-Input': `svc=${params}`, Signature: `svc=:${signature}:` } },
    { token: null },
  )
}
