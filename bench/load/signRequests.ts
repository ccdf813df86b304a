import { createPrivateKey, randomUUID, sign } from 'node:crypto'
import { buildSignatureBase, buildSignatureParams } from '@svc/core/signing/signatureBase.ts'
import { listRequiredComponents } from '@svc/core/signing/signatureProfile.ts'
import type { LoadRequest, RequestSigner } from './loadRequest.ts'

/** Signs as many requests of an agent as needed, and returns what of each request differs from the others. */
export function signRequests(
  { method, headers, body }: LoadRequest,
  signer: RequestSigner,
  amount: number,
): { headers?: Record<string, string>; body?: string }[] {
  const signatures = listSignatures(signer, amount)
  if (method === 'GET') {
    return signatures.map(({ signature, signatureInput }) => ({
      headers: { ...headers, signature, 'signature-input': signatureInput, 'x-svc-id': signer.agentId },
    }))
  }
  const fields = JSON.parse(body) as object
  const { url, agentId } = signer
  return signatures.map((signed) => {
    const callerMetadata = { ...signed, method: 'GET', targetUri: url, 'x-svc-id': agentId }
    return { body: JSON.stringify({ ...fields, callerMetadata }) }
  })
}

function listSignatures({ privateJwk, keyid, agentId, url }: RequestSigner, amount: number) {
  const key = createPrivateKey({ key: privateJwk, format: 'jwk' })
  const names = listRequiredComponents({ hasQuery: false, hasBody: false, hasSignatureAgent: false })
  const components = names.map((name) => ({ name }))
  const request = {
    method: 'GET',
    authority: new URL(url).host,
    targetUri: url,
    headers: { 'x-svc-id': agentId },
  }
  const created = Math.floor(Date.now() / 1_000)
  return Array.from({ length: amount }, () => {
    const params = buildSignatureParams(components, {
      ...{ created, expires: created + 300, nonce: randomUUID(), keyid, tag: 'web-bot-auth' },
    })
    const signature = sign(null, Buffer.from(buildSignatureBase(components, params, request)), key)
    return { signature: `svc=:${signature.toString('base64')}:`, signatureInput: `svc=${params}` }
  })
}
