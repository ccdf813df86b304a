import { createECDH, createPrivateKey } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
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

const FOLDER = join(import.meta.dirname, '../test/fixtures/proofs')

/** The times and the random values of the examples. */
const CREATED = 1_767_225_600
const NONCE = 'bm90LXJhbmRvbS1ub25jZQ'
const AGENT = 'SVC-7VK9WufhHc52ySaxQoLo8E'
const NOTE = 'The private key is public, for tests only: never register it.'

/** Keys with a private half that anyone can type. */
const ED25519 = createPrivateKey({
  key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.alloc(32, 0x22)]),
  ...{ format: 'der', type: 'pkcs8' },
}).export({ format: 'jwk' })
const P256 = p256Key(Buffer.alloc(32, 0x33))
const SECP256K1 = `0x${'11'.repeat(32)}` as const

function p256Key(d: Buffer): JsonWebKey {
  const ecdh = createECDH('prime256v1')
  ecdh.setPrivateKey(d)
  const point = ecdh.getPublicKey()
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'))
  return { kty: 'EC', crv: 'P-256', x, y, d: d.toString('base64url') }
}

const GET = { method: 'GET', url: 'https://shop.example/catalogue' }
const POST = {
  method: 'POST',
  url: 'https://shop.example/orders?currency=EUR&note=a%20b',
  headers: { 'X-Svc-Purpose': 'shopping:buy', 'Content-Type': 'application/json' },
  body: '{"item":"tea","total":19.9,"note":"Grüße"}',
}

/**
 * Writes the examples of signed requests and intent proofs that implementations in any language can be checked against.
 *
 * They are what the client library sends, with a fixed time and nonce. Ed25519 and Ethereum signatures are the same each
 * time; ECDSA signatures of Web Crypto are not, so those of P-256 change whenever the examples are written.
 */
async function writeVectors(): Promise<void> {
  mkdirSync(FOLDER, { recursive: true })
  const [ed25519, p256] = await Promise.all([importAgentKey(ED25519), importAgentKey(P256)])
  const account = privateKeyToAccount(SECP256K1)
  const keyOf = async (jwk: JsonWebKey) => ({
    ...jwk,
    kid: (await exportPublicKey(await importAgentKey(jwk))).kid,
  })
  const keys = { ed25519: await keyOf(ED25519), p256: await keyOf(P256) }
  const ethereum = { privateKey: SECP256K1, address: account.address, chainId: 8453 }
  write('ed25519-get', { key: keys.ed25519, ...(await request(ed25519, GET)) })
  const signatureAgent = 'https://agent.example'
  const options = { tag: 'agent-payer-auth', signatureAgent } as const
  write('ed25519-post', { key: keys.ed25519, ...(await request(ed25519, POST, options)) })
  write('p256-post', { key: keys.p256, ...(await request(p256, POST)) })
  const signer = accountSigner(account, { chainId: ethereum.chainId })
  write('erc8128-post', { ethereum, ...(await request(signer, POST)) })
  write('intent-ed25519', { key: keys.ed25519, ...(await intent(ed25519)) })
  write('intent-p256', { key: keys.p256, ...(await intent(p256)) })
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

function write(name: string, vector: object): void {
  writeFileSync(join(FOLDER, `${name}.json`), `${JSON.stringify({ note: NOTE, ...vector }, null, 2)}\n`)
}

await writeVectors()
