import { createPrivateKey, randomUUID, sign } from 'node:crypto'
import { buildSignatureBase, buildSignatureParams } from '@svc/core/signing/signatureBase.ts'
import { listRequiredComponents } from '@svc/core/signing/signatureProfile.ts'
import type { LoadRequest, RequestSigner } from './loadRequest.ts'

/** Signs as many requests of an agent as needed, and returns the bodies in which a counterparty reports them. */
export function signBodies({ body }: LoadRequest, signer: RequestSigner, amount: number): string[] {
  const { privateJwk, keyid, agentId, url } = signer
  const key = createPrivateKey({ key: privateJwk, format: 'jwk' })
  const fields = JSON.parse(body) as object
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
    const callerMetadata = {
      ...{ signature: `svc=:${signature.toString('base64')}:`, signatureInput: `svc=${params}` },
      ...{ method: 'GET', targetUri: url, 'x-svc-id': agentId },
    }
    return JSON.stringify({ ...fields, callerMetadata })
  })
}
