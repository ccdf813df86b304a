import { expect } from 'chai'
import type { ProvableAgent } from '../../../../server/external/proofs/proof.ts'
import { createAgentKey } from '../../../builders/createAgentKey.ts'
import { type SentRequest, signAsAgent } from '../../../builders/signAsAgent.ts'
import { AUDIENCE, NOW, SECONDS, URL_OF_ORDER } from './openProofs.ts'
import { both, openRequestSignatures, type RequestSignatures, sent } from './openRequestSignatures.ts'

describe('verifyRequestSignature', () => {
  let proofs: RequestSignatures['proofs']
  let signed: RequestSignatures['signed']
  let check: RequestSignatures['check']
  let faultOf: RequestSignatures['faultOf']

  before(async () => {
    ;({ proofs, signed, check, faultOf } = await openRequestSignatures())
  })

  it('accepts a signature by each kind of key, and names the key and what is used up', async () => {
    for (const key of [proofs.ed25519, proofs.p256]) {
      const nonce = 'n'.repeat(16)
      expect(await check(signed({ nonce }, key))).to.deep.equal({
        ...{ grade: 'signature', fault: null, faulty: null, kid: key.kid, obtainer: null, token: null },
        uses: [{ key: `${key.kid} ${nonce}`, expiresAt: (SECONDS + 120) * 1000, hasExpired: false }],
      })
    }
  })

  for (const tag of ['web-bot-auth', 'agent-browser-auth', 'agent-payer-auth']) {
    it(`accepts the tag ${tag}`, async () => {
      expect((await check(signed({ tag }))).grade).to.equal('signature')
    })
  }

  it('accepts the target as one component, and every host of the endpoint', async () => {
    const components = ['@method', '@target-uri', 'x-svc-id']
    expect((await check(signed({ components }))).grade).to.equal('signature')
    const url = 'https://api.shop.example:8443/orders'
    expect((await check(signed({ url }))).grade).to.equal('signature')
  })

  it('accepts a body whose digest is covered, and refuses one whose digest is not', async () => {
    const order = { method: 'POST', body: '{"sku":7}' }
    expect((await check(signed(order))).grade).to.equal('signature')
    const components = ['@method', '@target-uri', 'x-svc-id']
    expect(await faultOf(signed({ ...order, components }))).to.equal('not_covered')
  })

  it('takes the header that names the agent as the agent’s identifier, even if it is not reported', async () => {
    const { 'x-svc-id': _, ...reported } = signed()
    expect((await check(reported)).grade).to.equal('signature')
    expect(await faultOf({ ...reported, 'x-svc-id': 'SVC-0000000000000000000000' })).to.equal('other_agent')
  })

  it('ignores the signatures of others', async () => {
    const others = signAsAgent(createAgentKey(), sent({ components: ['@authority'] }))
    expect(await check({ ...others, signatureAgent: '"https://bots.example"' })).to.include({
      ...{ grade: 'none', fault: null },
    })
    const half = { signatureInput: others.signatureInput }
    expect(await check(half)).to.include({ grade: 'none', fault: null })
  })

  it('uses up every signature that is meant for the agent, so that none is good by itself later', async () => {
    const twice = both(signed({ nonce: '1'.repeat(16) }), signed({ nonce: '2'.repeat(16) }, proofs.p256))
    const { grade, fault, uses } = await check(twice)
    expect([grade, fault]).to.deep.equal(['signature', null])
    expect(uses.map(({ key }) => key)).to.deep.equal([
      `${proofs.ed25519.kid} ${'1'.repeat(16)}`,
      `${proofs.p256.kid} ${'2'.repeat(16)}`,
    ])
  })

  it('refuses a request if any signature that is meant for the agent does not hold', async () => {
    const [good, bad] = [signed(), signed({ url: `${URL_OF_ORDER}&page=2` })]
    for (const pair of [both(good, bad), both(bad, good)]) expect(await faultOf(pair)).to.equal('forged')
    const others = signAsAgent(createAgentKey(), sent({ components: ['@authority'] }))
    expect(await check(both(others, good))).to.include({ grade: 'signature', fault: null })
    const { signature: _, ...cut } = both(others, good)
    expect(await faultOf({ ...cut, signature: others.signature })).to.equal('malformed')
  })

  it('refuses more signatures for the agent than it reads, however many of others stand before one', async () => {
    const many = (count: number, by = proofs.ed25519, varied: Partial<SentRequest> = {}) => {
      const all = Array.from({ length: count }, () => signed(varied, by))
      const join = (name: 'signature' | 'signatureInput') =>
        all.map((one, nth) => `m${nth}${one[name].slice(3)}`).join(', ')
      return { ...signed(), signature: join('signature'), signatureInput: join('signatureInput') }
    }
    expect((await check(many(4))).uses).to.have.lengthOf(4)
    expect(await faultOf(many(5))).to.equal('malformed')
    const [others, own] = [many(5, createAgentKey(), { components: ['@authority'] }), signed()]
    const joined = {
      signature: `${others.signature}, ${own.signature}`,
      signatureInput: `${others.signatureInput}, ${own.signatureInput}`,
    }
    expect(await check({ ...own, ...joined })).to.include({ grade: 'signature', fault: null })
  })

  it('refuses what is left of a signature: half of it, or a key of the agent for no purpose of a proof', async () => {
    const { signature, signatureInput, ...reported } = signed()
    expect(await faultOf({ ...reported, signature })).to.equal('malformed')
    expect(await faultOf({ ...reported, signatureInput })).to.equal('malformed')
    const untagged = { signature, signatureInput: signatureInput.replace(/;tag="[^"]*"/, '') }
    expect(await faultOf({ ...reported, ...untagged })).to.equal('other_purpose')
    expect(await faultOf(signed({ tag: 'something-else' }))).to.equal('other_purpose')
    const account = `erc8128:1:0x${'8a'.repeat(20)}`
    const as = { ...proofs.agent, accounts: [`0x${'8a'.repeat(20)}`] }
    expect(await faultOf(signed({ keyid: account, tag: 'something-else' }), { as })).to.equal('unaddressed')
    expect(await faultOf(signed({ keyid: account, tag: 'something-else' }))).to.equal(null)
  })

  it('accepts a signature that does not cover the query if there is none', async () => {
    const components = ['@method', '@authority', '@path', 'x-svc-id']
    for (const url of ['https://shop.example/orders/7', 'https://shop.example/orders/7?']) {
      expect((await check(signed({ url, components }))).grade, url).to.equal('signature')
    }
  })

  it('refuses a signature over something that the counterparty does not report', async () => {
    const components = ['@method', '@target-uri', 'x-svc-id', 'content-digest']
    const whole = signed({ components, method: 'POST', body: '{}' })
    const { contentDigest: _, ...bodiless } = whole
    const { method: __, ...methodless } = whole
    const { targetUri: ___, ...targetless } = whole
    for (const reported of [bodiless, methodless, targetless]) {
      expect(await check(reported)).to.include({ grade: 'none', fault: 'not_reported' })
    }
  })

  it('tells a component that nobody could report from one that was not reported', async () => {
    const covering = (component: string) => {
      const { signatureInput, ...reported } = signed()
      return { ...reported, signatureInput: signatureInput.replace('("', `(${component} "`), 'x-note': 'a=1' }
    }
    for (const component of [
      '"@status"',
      '"x-note";bs',
      '"x-note";sf',
      '"X-Note"',
      '"@query-param";name="no"',
    ]) {
      expect(await faultOf(covering(component)), component).to.equal('unsupported_component')
    }
    expect(await faultOf(covering('"x-missing"'))).to.equal('not_reported')
    for (const component of ['"x-note";key="a"', '"@query-param";name="lang"']) {
      expect(await faultOf(covering(component)), component).to.equal('forged')
    }
  })

  it('says that something was not reported before whatever else is wrong, also of another signature', async () => {
    const sending = {
      method: 'POST',
      body: '{}',
      nonce: 'short',
      created: SECONDS + 900,
      expires: SECONDS + 9_000,
    }
    const { contentDigest: _, ...bodiless } = signed({ ...sending, url: 'https://evil.example/' })
    expect(await faultOf(bodiless)).to.equal('not_reported')
    const components = ['@method', '@target-uri', 'x-svc-id', 'content-digest']
    const unreported = signed({ components, body: '{}' }, proofs.p256)
    const late = signed({ created: SECONDS + 900 })
    expect(await faultOf(both(late, unreported))).to.equal('not_reported')
  })

  for (const [what, varied, fault] of [
    ['of a revoked key', { by: 'revoked' }, 'key_revoked'],
    ['of an unknown key', { by: 'unknown' }, 'key_unknown'],
    ['that names another key', { by: 'ed25519', keyid: 'p256' }, 'forged'],
    ['made in the future', { created: SECONDS + 61 }, 'not_yet_valid'],
    ['that lasts longer than five minutes', { expires: SECONDS + 301 }, 'long_lived'],
    ['that expires before it was made', { expires: SECONDS - 1 }, 'malformed'],
    ['with a nonce that can be guessed', { nonce: 'short' }, 'no_nonce'],
    ['without the method', { components: ['@target-uri', 'x-svc-id'] }, 'not_covered'],
    ['without the host', { components: ['@method', '@path', '@query', 'x-svc-id'] }, 'not_covered'],
    ['without the path', { components: ['@method', '@authority', '@query', 'x-svc-id'] }, 'not_covered'],
    ['without the query', { components: ['@method', '@authority', '@path', 'x-svc-id'] }, 'not_covered'],
    ['without the agent', { components: ['@method', '@target-uri'] }, 'not_covered'],
    ['for another host', { url: 'https://evil.example/orders/7' }, 'other_audience'],
    ['by an algorithm that is not the key’s', { alg: 'ecdsa-p256-sha256' }, 'other_algorithm'],
    ['by an algorithm that no key has', { alg: 'rsa-pss-sha256' }, 'other_algorithm'],
  ] as const) {
    it(`refuses a signature ${what}`, async () => {
      const { by = 'ed25519', keyid, ...changes } = varied as { by?: string; keyid?: string }
      const pairs = { ...proofs, unknown: createAgentKey() } as unknown as Record<string, typeof proofs.p256>
      const key = pairs[by] ?? proofs.ed25519
      const named = keyid === undefined ? {} : { keyid: pairs[keyid]?.kid ?? '' }
      expect(await faultOf(signed({ ...changes, ...named }, key))).to.equal(fault)
    })
  }

  it('tells that a signature has expired, for the service to decide whether it was held', async () => {
    const [use] = (await check(signed(), { now: NOW + 60_000 })).uses
    expect(use?.hasExpired).to.equal(true)
  })

  it('refuses a request whose method, path, host, digest or agent is not the signed one', async () => {
    const reported = signed({ method: 'POST', body: '{"sku":7}' })
    for (const [changes, fault] of [
      [{ method: 'PUT' }, 'forged'],
      [{ targetUri: 'https://shop.example/orders/8?lang=de' }, 'forged'],
      [{ targetUri: 'https://api.shop.example:8443/orders/7' }, 'forged'],
      [{ contentDigest: 'sha-256=:AAAA:' }, 'forged'],
      [{ signature: 'svc=:AAAA:' }, 'forged'],
      [{ signature: 'garbage' }, 'malformed'],
      [{ signatureInput: `${reported.signatureInput};extra=1` }, 'forged'],
    ] as const) {
      expect(await faultOf({ ...reported, ...changes }), JSON.stringify(changes)).to.equal(fault)
    }
    const svcId = 'SVC-0000000000000000000000'
    const other: ProvableAgent = { ...proofs.agent, svcId, names: [svcId] }
    const { 'x-svc-id': _, ...unnamed } = reported
    expect(await faultOf(unnamed, { as: other })).to.equal('forged')
    expect(await faultOf(reported, { audience: { ...AUDIENCE, authorities: ['other.example'] } })).to.equal(
      'other_audience',
    )
  })
})
