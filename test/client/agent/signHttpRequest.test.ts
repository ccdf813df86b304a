import { createHash, createPublicKey, type JsonWebKey, verify as verifyBytes } from 'node:crypto'
import {
  type AgentKey,
  accountSigner,
  exportPublicKey,
  generateAgentKey,
  type HttpRequestToSign,
  type PublicKey,
  type SignatureOptions,
  signHttpRequest,
} from '@svc/client'
import { SIGNATURE_TAGS } from '@svc/core/signing/signatureProfile.ts'
import { expect } from 'chai'
import { recoverMessageAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { verify } from 'web-bot-auth'
import { createAgentKey } from '../../builders/createAgentKey.ts'
import { signAsTapSample } from '../../builders/signAsTapSample.ts'
import { createTapMerchant } from '../../harness/peers/createTapMerchant.ts'
import { readSignedRequest } from '../../harness/peers/readSignedRequest.ts'

const AGENT = `SVC-${'A'.repeat(22)}`
const NOW = 1_800_000_000_000
const OPTIONS = { agentId: AGENT, now: () => NOW }
const GET = { method: 'GET', url: 'https://shop.example/orders/1' } as const

describe('signHttpRequest', () => {
  let key: AgentKey
  let publicKey: PublicKey
  before(async () => {
    key = await generateAgentKey()
    publicKey = await exportPublicKey(key)
  })

  /** Signs a request and returns it as its receiver has it. */
  async function sign(
    request: Partial<HttpRequestToSign> = {},
    options: Partial<SignatureOptions> = {},
    signer = key,
  ) {
    const whole = { ...GET, ...request }
    const signed = await signHttpRequest(signer, whole, { ...OPTIONS, ...options })
    const headers: Record<string, string> = {
      ...Object.fromEntries(new Headers(Object(whole.headers))),
      ...signed,
    }
    return { method: whole.method, url: String(whole.url), headers }
  }
  const componentsOf = async (...args: Parameters<typeof sign>) =>
    readSignedRequest(await sign(...args)).components
  const failureOf = async (...args: Parameters<typeof sign>) =>
    sign(...args).then(
      () => 'signed',
      (error: Error) => error.message,
    )

  it('signs the method as HTTP clients send it', async () => {
    const lower = await sign({ method: 'patch' })
    const received = readSignedRequest({ ...lower, method: 'PATCH' })
    expect(await received.isSignedBy(publicKey)).to.equal(true)
  })

  for (const algorithm of ['ed25519', 'ecdsa-p256-sha256'] as const) {
    it(`signs with ${algorithm}, as the service verifies it`, async () => {
      const signer = await generateAgentKey({ algorithm })
      const received = await sign({ method: 'POST', body: '{"total":5}' }, {}, signer)
      const jwk = await exportPublicKey(signer)
      expect(await readSignedRequest(received).isSignedBy(jwk)).to.equal(true)
      for (const change of [
        { method: 'PUT' },
        { url: 'https://shop.example/orders/2' },
        { url: 'https://shop.example:444/orders/1' },
        { headers: { ...received.headers, 'x-svc-id': `SVC-${'B'.repeat(22)}` } },
        { headers: { ...received.headers, 'content-digest': 'sha-256=:AAAA:' } },
      ]) {
        expect(await readSignedRequest({ ...received, ...change }).isSignedBy(jwk)).to.equal(false)
      }
    })
  }

  it('covers what binds the signature to one request of the agent', async () => {
    const bare = ['@authority', '@method', '@path', 'x-svc-id']
    expect(await componentsOf()).to.deep.equal(bare)
    expect(await componentsOf({ url: 'https://shop.example/?a=1' })).to.deep.equal([...bare, '@query'])
    expect(await componentsOf({ method: 'POST', body: 'a' })).to.deep.equal([...bare, 'content-digest'])
    expect(await componentsOf({ method: 'POST', body: '' })).to.deep.equal(bare)
    const signatureAgent = 'https://agent.example'
    expect(await componentsOf({}, { signatureAgent })).to.deep.equal([...bare, 'signature-agent'])
  })

  it('covers what the agent states, and further headers on request', async () => {
    const headers = {
      'X-Svc-Purpose': 'shopping:buy',
      'X-Svc-Scope': 'DE',
      'X-Svc-Verify': 'https://a',
      Accept: '*/*',
    }
    const components = await componentsOf({ headers }, { covers: ['Accept', 'accept'] })
    expect(components.slice(4)).to.deep.equal(['x-svc-purpose', 'x-svc-scope', 'accept'])
    expect(await failureOf({}, { covers: ['accept'] })).to.equal('signature: the request has no accept')
  })

  it('states the digest of the bytes that are sent', async () => {
    const digestOf = (bytes: string | Uint8Array) =>
      `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`
    for (const body of ['ä', new Uint8Array([0, 255])]) {
      const { headers } = await sign({ method: 'POST', body })
      expect(headers['content-digest']).to.equal(digestOf(body))
    }
    const replaced = await sign({
      method: 'POST',
      body: 'a',
      headers: { 'Content-Digest': 'sha-256=:AAAA:' },
    })
    expect(replaced.headers['content-digest']).to.equal(digestOf('a'))
  })

  it('is good for five minutes or less, for one use, under one label', async () => {
    const { parameters } = readSignedRequest(await sign())
    expect(parameters).to.deep.include({
      created: 1_800_000_000,
      expires: 1_800_000_300,
      tag: 'web-bot-auth',
    })
    expect(parameters).to.deep.include({ keyid: key.keyid, alg: 'ed25519' })
    const shorter = readSignedRequest(
      await sign({}, { lifetimeSeconds: 10.9, label: 'sig2' }),
      'sig2',
    ).parameters
    expect(shorter.expires).to.equal(1_800_000_010)
    const nonces = [parameters, shorter].map(({ nonce }) => String(nonce))
    expect(new Set(nonces).size).to.equal(2)
    for (const nonce of nonces) expect(nonce).to.match(/^[\w-]{22}$/)
    for (const lifetimeSeconds of [0, -1, 301, Number.NaN]) {
      expect(await failureOf({}, { lifetimeSeconds })).to.match(/^lifetimeSeconds must be from 1 to 300/)
    }
  })

  it('says why the request is signed', async () => {
    for (const tag of SIGNATURE_TAGS) {
      expect(readSignedRequest(await sign({}, { tag })).parameters.tag).to.equal(tag)
    }
  })

  it('takes its place beside the signatures of others', async () => {
    const theirs = {
      Signature: 'a=:AAAA:',
      'Signature-Input': 'a=("@path")',
      'Signature-Agent': 'a="https://a.example"',
    }
    const received = await sign({ headers: theirs }, { signatureAgent: 'https://agent.example' })
    expect(received.headers.signature).to.match(/^a=:AAAA:, svc=:/)
    expect(received.headers['signature-input']).to.match(/^a=\("@path"\), svc=\(/)
    expect(received.headers['signature-agent']).to.equal('a="https://a.example", svc="https://agent.example"')
    expect(await readSignedRequest(received).isSignedBy(publicKey)).to.equal(true)
    expect(await failureOf({ headers: received.headers })).to.equal('the request already has a signature svc')
  })

  it('covers the whole Signature-Agent that the caller sends', async () => {
    const received = await sign({ headers: { 'Signature-Agent': 'a="https://a.example"' } })
    expect(received.headers['signature-input']).to.include('"signature-agent")')
    expect(await readSignedRequest(received).isSignedBy(publicKey)).to.equal(true)
  })

  it('refuses what could not be verified', async () => {
    expect(await failureOf({ headers: { 'X-Svc-Id': 'SVC-other' } })).to.include('SVC-other')
    for (const url of [
      '/orders',
      'ftp://shop.example/',
      'https://u:p@shop.example/',
      'https://u@shop.example/',
    ]) {
      expect(await failureOf({ url }), url).to.match(/^url must be an absolute http\(s\) URL/)
    }
    for (const signatureAgent of ['agent.example', 'https://agent.example/', 'https://agent.example/keys']) {
      expect(await failureOf({}, { signatureAgent }), signatureAgent).to.match(/must be an origin/)
    }
    const agentId = undefined as unknown as string
    expect(await failureOf({}, { agentId })).to.match(/^agentId is missing/)
    for (const body of [{ total: 5 }, new ArrayBuffer(8)] as unknown[] as string[]) {
      expect(await failureOf({ method: 'POST', body })).to.equal(
        'body must be the text or the bytes that are sent',
      )
    }
    expect(await failureOf({}, { label: 'Svc' })).to.match(/structured field/)
  })

  it('signs for an Ethereum account as in ERC-8128', async () => {
    const account = privateKeyToAccount(generatePrivateKey())
    const signer = accountSigner(account, { chainId: 8453 })
    const request = { ...GET, url: 'https://shop.example/orders?page=2', method: 'POST', body: '{}' }
    const headers = await signHttpRequest(signer, request, OPTIONS)
    const { base, signature, parameters, components } = readSignedRequest({ ...request, headers })
    const hex = `0x${signature.toString('hex')}` as const
    expect(await recoverMessageAddress({ message: base, signature: hex })).to.equal(account.address)
    expect(parameters.keyid).to.equal(`erc8128:8453:${account.address.toLowerCase()}`)
    expect(parameters).not.to.have.property('alg')
    // A request-bound signature of the draft covers at least these.
    expect(components).to.include.members(['@authority', '@method', '@path', '@query', 'content-digest'])
    expect(parameters).to.include.keys('created', 'expires', 'nonce')
  })

  describe('is accepted by', () => {
    it('the package web-bot-auth', async () => {
      const isVerified = async (request: Partial<HttpRequestToSign>) =>
        verify(await sign(request, { now: Date.now }), (text, signature, { keyid }) => {
          expect(keyid).to.equal(key.keyid)
          const jwk = createPublicKey({ key: publicKey as JsonWebKey, format: 'jwk' })
          return verifyBytes(null, Buffer.from(text), jwk, signature)
        })
      expect(await isVerified({})).to.equal(true)
      expect(
        await isVerified({ url: 'http://127.0.0.1:8080/a%20b?c=d', method: 'POST', body: 'x' }),
      ).to.equal(true)
    })

    it('a merchant of the Trusted Agent Protocol, once', async () => {
      const merchant = createTapMerchant({ [key.keyid]: publicKey as JsonWebKey }, 'specification')
      const send = (request: Partial<HttpRequestToSign>, options: Partial<SignatureOptions> = {}) =>
        sign(request, { label: 'sig2', tag: 'agent-payer-auth', ...options })
      for (const tag of ['agent-browser-auth', 'agent-payer-auth'] as const) {
        const buying = { url: 'https://shop.example/cart?item=1', method: 'POST', body: '{}' }
        const received = await send(buying, { tag })
        expect(merchant.check(received, NOW / 1000)).to.equal('recognised')
        expect(merchant.check(received, NOW / 1000)).to.equal('seen before')
      }
      expect(merchant.check(await send({}, { tag: 'web-bot-auth' }), NOW / 1000)).to.equal('another tag')
      const received = await send({})
      expect(merchant.check(received, NOW / 1000 + 301)).to.equal('expired')
      expect(merchant.check({ ...received, url: 'https://shop.example/cart' }, NOW / 1000)).to.equal('forged')
    })
  })

  describe('the sample proxy of the Trusted Agent Protocol', () => {
    const received = (headers: ReturnType<typeof signAsTapSample>) => ({
      ...GET,
      headers: { signature: headers.signature, 'signature-input': headers.signatureInput },
    })
    const agentKey = createAgentKey()
    const open = () =>
      createTapMerchant({ [key.keyid]: publicKey as JsonWebKey, [agentKey.kid]: agentKey.jwk }, 'sample')

    it('recognises its own agent', () => {
      const signed = signAsTapSample(agentKey, { url: GET.url, created: NOW / 1000 })
      expect(open().check(received(signed), NOW / 1000)).to.equal('recognised')
    })

    it('finds no key in any structured field, so that it recognises none of our signatures', async () => {
      const ours = await sign({}, { label: 'sig2', tag: 'agent-browser-auth' })
      expect(open().check(ours, NOW / 1000)).to.equal('no usable key id')
      // Nor would its own agent’s be recognised with the parameter as RFC 9421 spells it.
      const respell = (params: string) => params.replace('keyId', 'keyid')
      const theirs = signAsTapSample(agentKey, { url: GET.url, created: NOW / 1000, respell })
      expect(open().check(received(theirs), NOW / 1000)).to.equal('no usable key id')
    })

    it('leaves covered components out of the signed text, so that no signature over the agent can hold', () => {
      const covered = { '@authority': 'shop.example', '@path': '/orders/1', 'x-svc-id': AGENT }
      const signed = received(signAsTapSample(agentKey, { url: GET.url, created: NOW / 1000, covered }))
      const request = { ...signed, headers: { ...signed.headers, 'x-svc-id': AGENT } }
      expect(open().check(request, NOW / 1000)).to.equal('forged')
    })
  })
})
