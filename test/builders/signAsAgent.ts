import { createHash, createPrivateKey, randomUUID, sign } from 'node:crypto'
import { writeContentDigest } from '@svc/core/signing/contentDigest.ts'
import { INTENT_TYPE, type IntentClaims } from '@svc/core/signing/intentClaims.ts'
import { buildSignatureBase, buildSignatureParams } from '@svc/core/signing/signatureBase.ts'
import { listRequiredComponents } from '@svc/core/signing/signatureProfile.ts'
import type { createAgentKey } from './createAgentKey.ts'

type AgentKeyPair = ReturnType<typeof createAgentKey>

/** A request as its agent sends it; times are Unix seconds. */
export type SentRequest = {
  svcId: string
  url: string
  method?: string
  body?: string
  created: number
  expires?: number
  nonce?: string
  tag?: string
  keyid?: string
  alg?: string
  components?: readonly string[]
}

/** What a counterparty reports about a signed request, in `callerMetadata`. */
export type ReportedRequest = ReturnType<typeof signAsAgent>

/** Signs a request as its agent would, and returns what the counterparty reports about it. */
export function signAsAgent(key: AgentKeyPair, sent: SentRequest) {
  return signWithBase(key, sent).metadata
}

/** The same, with what a gateway reports of a request that it answered with an earlier grant. */
export function signWithBase(key: AgentKeyPair, sent: SentRequest) {
  const { svcId, url, method = 'GET', body, created } = sent
  const contentDigest =
    body === undefined ? undefined : writeContentDigest(createHash('sha256').update(body).digest())
  const parts = { hasQuery: url.includes('?'), hasBody: body !== undefined, hasSignatureAgent: false }
  const names = sent.components ?? listRequiredComponents(parts)
  const components = names.map((name) => ({ name }))
  const params = buildSignatureParams(components, {
    created,
    expires: sent.expires ?? created + 60,
    nonce: sent.nonce ?? randomUUID(),
    keyid: sent.keyid ?? key.kid,
    alg: sent.alg,
    tag: sent.tag ?? 'web-bot-auth',
  })
  const headers = { 'x-svc-id': svcId, 'content-digest': contentDigest }
  const base = buildSignatureBase(components, params, {
    ...{ method, authority: new URL(url).host, targetUri: url, headers },
  })
  const signature = signText(key, base).toString('base64')
  return {
    metadata: {
      ...{ signature: `svc=:${signature}:`, signatureInput: `svc=${params}` },
      ...{ method, targetUri: url, contentDigest, 'x-svc-id': svcId },
    },
    request: { signatureBase: base, signature },
  }
}

/** Signs an intent proof: a compact JWS. `header` replaces members of its header. */
export function signIntent(
  key: AgentKeyPair,
  claims: Partial<IntentClaims>,
  header: Readonly<Record<string, unknown>> = {},
): string {
  const alg = key.jwk.kty === 'OKP' ? 'EdDSA' : 'ES256'
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const input = `${encode({ typ: INTENT_TYPE, alg, kid: key.kid, ...header })}.${encode(claims)}`
  return `${input}.${signText(key, input).toString('base64url')}`
}

function signText({ privateJwk }: AgentKeyPair, text: string): Buffer {
  const key = createPrivateKey({ key: privateJwk, format: 'jwk' })
  return key.asymmetricKeyType === 'ed25519'
    ? sign(null, Buffer.from(text), key)
    : sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' })
}
