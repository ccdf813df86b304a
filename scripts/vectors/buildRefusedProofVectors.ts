import { createPrivateKey, type JsonWebKey, sign } from 'node:crypto'
import { privateKeyToAccount } from 'viem/accounts'
import { CREATED, NOTE } from './vectorValues.ts'

type Signed = {
  request: { method: string; url: string; headers: Record<string, string>; body?: string }
  signatureBase: string
  signatureInput: string
  signature: string
}

type SignedRequest = Signed & { key: JsonWebKey & { kid: string } }

type AccountRequest = Signed & { ethereum: { privateKey: `0x${string}`; address: string; chainId: number } }

type Intent = {
  key: JsonWebKey & { kid: string }
  header: object
  payload: Record<string, unknown>
  proof: string
}

/** Builds copies of signed requests and of the intent proof with one thing changed, each of which a verifier refuses. */
export async function buildRefusedProofVectors(
  proofs: Record<string, object>,
): Promise<Record<string, object>> {
  const byKey = refusedRequests(proofs['ed25519-post'] as SignedRequest)
  const byAccount = await refusedAccountRequests(proofs['erc8128-post'] as AccountRequest)
  return {
    'refused-requests': {
      note: NOTE,
      now: CREATED + 1,
      ...{ key: byKey.key, ethereum: byAccount.ethereum, cases: [...byKey.cases, ...byAccount.cases] },
    },
    'refused-intents': {
      note: NOTE,
      now: CREATED + 1,
      ...refusedIntents(proofs['intent-ed25519'] as Intent),
    },
  }
}

function refusedRequests({ key, request, signatureBase, signatureInput, signature }: SignedRequest) {
  const sent = { ...request, headers: { ...request.headers, 'signature-input': signatureInput, signature } }
  const withHeaders = (headers: Record<string, string>) => ({
    ...sent,
    headers: { ...sent.headers, ...headers },
  })
  /** Signs again, over changed parameters, so that only the profile is violated. */
  const resign = (from: string | RegExp, to: string, line?: RegExp) => {
    const base = signatureBase.replace(from, to).replace(line ?? '\0', '')
    const signed = sign(null, Buffer.from(base), createPrivateKey({ key, format: 'jwk' })).toString('base64')
    return withHeaders({ 'signature-input': signatureInput.replace(from, to), signature: `svc=:${signed}:` })
  }
  return {
    ...{ key },
    cases: [
      { name: 'another method', request: { ...sent, method: 'PUT' } },
      { name: 'another host', request: { ...sent, url: sent.url.replace('shop.', 'other.') } },
      { name: 'another path', request: { ...sent, url: sent.url.replace('/orders', '/refunds') } },
      { name: 'another query', request: { ...sent, url: `${sent.url}&admin=1` } },
      { name: 'another agent', request: withHeaders({ 'x-svc-id': `SVC-${'0'.repeat(22)}` }) },
      { name: 'another purpose', request: withHeaders({ 'x-svc-purpose': 'shopping:browse' }) },
      { name: 'another body', request: { ...sent, body: `${sent.body} ` } },
      {
        name: 'another nonce',
        request: withHeaders({ 'signature-input': signatureInput.replace('bm90', 'bm91') }),
      },
      {
        name: 'another signature',
        request: withHeaders({ signature: signature.replace(/^svc=:../, 'svc=:AA') }),
      },
      { name: 'method not covered', request: resign(' "@method"', '', /^"@method".*\n/m) },
      { name: 'body not covered', request: resign(' "content-digest"', '', /^"content-digest".*\n/m) },
      { name: 'another algorithm', request: resign('alg="ed25519"', 'alg="ecdsa-p256-sha256"') },
      { name: 'good for too long', request: resign(/;expires=\d+/, `;expires=${CREATED + 301}`) },
      {
        name: 'expired',
        request: resign(/;created=\d+;expires=\d+/, `;created=${CREATED - 300};expires=${CREATED}`),
      },
    ],
  }
}

async function refusedAccountRequests({ ethereum, request, signatureBase, signatureInput }: AccountRequest) {
  const name = (text: string) => text.replace(';tag=', ';alg="ecdsa-p256-sha256";tag=')
  const signed = await privateKeyToAccount(ethereum.privateKey).signMessage({ message: name(signatureBase) })
  const signature = `svc=:${Buffer.from(signed.slice(2), 'hex').toString('base64')}:`
  const headers = { ...request.headers, 'signature-input': name(signatureInput), signature }
  return {
    ethereum,
    cases: [{ name: 'an account that names an algorithm', request: { ...request, headers } }],
  }
}

function refusedIntents({ key, header, payload, proof }: Intent) {
  const privateKey = createPrivateKey({ key, format: 'jwk' })
  const issue = (claims: object, fields: object = {}) => {
    const parts = [
      { ...header, ...fields },
      { ...payload, ...claims },
    ]
    const text = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
    return `${text}.${sign(null, Buffer.from(text), privateKey).toString('base64url')}`
  }
  const [head, , signature] = proof.split('.')
  const changed = Buffer.from(JSON.stringify({ ...payload, amount: '1999.00' })).toString('base64url')
  return {
    key,
    cases: [
      { name: 'changed claims', proof: `${head}.${changed}.${signature}` },
      { name: 'a cut signature', proof: proof.slice(0, -4) },
      { name: 'another type', proof: issue({}, { typ: 'JWT' }) },
      { name: 'another algorithm', proof: issue({}, { alg: 'none' }) },
      { name: 'a critical extension', proof: issue({}, { crit: ['exp'] }) },
      { name: 'good for too long', proof: issue({ exp: CREATED + 61 }) },
      { name: 'expired', proof: issue({ iat: CREATED - 60, exp: CREATED }) },
      { name: 'an agent that cannot exist', proof: issue({ iss: 'SVC-1' }) },
      { name: 'an audience that is no origin', proof: issue({ aud: 'https://shop.example/orders' }) },
      { name: 'a short nonce', proof: issue({ jti: 'short' }) },
      { name: 'an amount that is none', proof: issue({ amount: '-1' }) },
    ],
  }
}
