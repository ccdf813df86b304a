import {
  type AgentSigner,
  accountSigner,
  createIntentProof,
  exportPublicKey,
  type HttpRequestToSign,
  importAgentKey,
  type SignatureOptions,
  signHttpRequest,
} from '@svc/client'
import { buildSignatureBase } from '@svc/core/signing/signatureBase.ts'
import { privateKeyToAccount } from 'viem/accounts'
import { AGENT, CREATED, ED25519, NONCE, NOTE, P256, SECP256K1 } from './vectorValues.ts'

const GET = { method: 'GET', url: 'https://shop.example/catalogue' }
const POST = {
  method: 'POST',
  url: 'https://shop.example/orders?currency=EUR&note=a%20b',
  headers: { 'X-Svc-Purpose': 'shopping:buy', 'Content-Type': 'application/json' },
  body: '{"item":"tea","total":19.9,"note":"Grüße"}',
}

/** A vector as it was written before; undefined if there is none. */
export type ReadStored = (
  name: string,
) => { signatureBase?: string; signature?: string; proof?: string } | undefined

/**
 * Builds the examples of signed requests and intent proofs: what the client library sends, with a fixed time and nonce.
 *
 * Ed25519 and Ethereum signatures are the same each time. ECDSA signatures of Web Crypto are not, so those of P-256 stay as
 * they were stored while the signed text does.
 */
export async function buildProofVectors(readStored: ReadStored): Promise<Record<string, object>> {
  const [ed25519, p256] = await Promise.all([importAgentKey(ED25519), importAgentKey(P256)])
  const account = privateKeyToAccount(SECP256K1)
  const keyOf = async (jwk: JsonWebKey) => ({
    ...jwk,
    kid: (await exportPublicKey(await importAgentKey(jwk))).kid,
  })
  const keys = { ed25519: await keyOf(ED25519), p256: await keyOf(P256) }
  const ethereum = { privateKey: SECP256K1, address: account.address, chainId: 8453 }
  const signatureAgent = 'https://agent.example'
  const options = { tag: 'agent-payer-auth', signatureAgent } as const
  const signer = accountSigner(account, { chainId: ethereum.chainId })
  const vectors = {
    'ed25519-get': { key: keys.ed25519, ...(await request(ed25519, GET)) },
    'ed25519-post': { key: keys.ed25519, ...(await request(ed25519, POST, options)) },
    'p256-post': keepSignature(readStored('p256-post'), { key: keys.p256, ...(await request(p256, POST)) }),
    'erc8128-post': { ethereum, ...(await request(signer, POST)) },
    'intent-ed25519': { key: keys.ed25519, ...(await intent(ed25519)) },
    'intent-p256': keepProof(readStored('intent-p256'), { key: keys.p256, ...(await intent(p256)) }),
  }
  return Object.fromEntries(
    Object.entries(vectors).map(([name, vector]) => [name, { note: NOTE, ...vector }]),
  )
}

type Stored = ReturnType<ReadStored>

function keepSignature<Vector extends { signatureBase: string; signature: string }>(
  stored: Stored,
  vector: Vector,
): Vector {
  const isSame = stored?.signatureBase === vector.signatureBase && stored.signature !== undefined
  return isSame ? { ...vector, signature: stored.signature } : vector
}

function keepProof<Vector extends { proof: string }>(stored: Stored, vector: Vector): Vector {
  const textOf = (proof = '') => proof.slice(0, proof.lastIndexOf('.'))
  return stored?.proof !== undefined && textOf(stored.proof) === textOf(vector.proof)
    ? { ...vector, proof: stored.proof }
    : vector
}

async function request(
  signer: AgentSigner,
  sent: HttpRequestToSign & { body?: string },
  more: Partial<SignatureOptions> = {},
) {
  const options = { agentId: AGENT, now: () => CREATED * 1000, ...more }
  const signed = await signHttpRequest(signer, sent, options)
  const input = String(signed['signature-input']).replace(/nonce="[^"]*"/, `nonce="${NONCE}"`)
  const { signature: _, 'signature-input': __, ...own } = signed
  const headers = { ...lowerCase(sent.headers ?? {}), ...own }
  const params = input.slice('svc='.length)
  const url = new URL(String(sent.url))
  const base = buildSignatureBase(componentsOf(params, own['signature-agent']), params, {
    ...{ method: sent.method, authority: url.host, targetUri: url.href, headers },
  })
  const signature = `svc=:${Buffer.from(await signer.sign(base)).toString('base64')}:`
  return {
    request: {
      method: sent.method,
      url: url.href,
      headers,
      ...(sent.body === undefined ? {} : { body: sent.body }),
    },
    ...{ signatureBase: base, signatureInput: input, signature },
  }
}

function lowerCase(headers: object): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

/** The components that the parameters name; the member of `Signature-Agent` has the label of the signature. */
function componentsOf(params: string, signatureAgent: string | undefined) {
  const [, list = ''] = /^\(([^)]*)\)/.exec(params) ?? []
  const member = { key: 'svc', value: signatureAgent?.slice('svc='.length) ?? '' }
  return list.split(' ').map((identifier) => {
    const [name = '', key] = [...identifier.matchAll(/"([^"]*)"/g)].map(([, text = '']) => text)
    return key === undefined ? { name } : { name, member }
  })
}

async function intent(signer: AgentSigner) {
  const facts = { purpose: 'shopping:buy', amount: '19.90', currency: 'EUR', resource: '/orders' }
  const proof = await createIntentProof(signer, {
    ...{ agentId: AGENT, audience: 'https://shop.example', ...facts },
    ...{ body: POST.body, now: () => CREATED * 1000 },
  })
  const [header, payload] = proof.split('.').map((part) => Buffer.from(part, 'base64url').toString())
  const fixed = { header: JSON.parse(header ?? ''), payload: { ...JSON.parse(payload ?? ''), jti: NONCE } }
  const text = [fixed.header, fixed.payload]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  const signature = Buffer.from(await signer.sign(text)).toString('base64url')
  return { ...fixed, body: POST.body, proof: `${text}.${signature}` }
}
