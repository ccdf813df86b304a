import { expect } from 'chai'
import { generateNonce } from 'web-bot-auth'
import { invalidSignatures } from './invalidSignatures.ts'
import { type KeyHost, NOW, openKeyHost, URL_SIGNED, WELL_KNOWN } from './openKeyHost.ts'

const HOUR = 3_600_000
const member = (key: string) => ({ name: 'signature-agent', parameters: new Map([['key', key]]) })

describe('Web Bot Auth', () => {
  let host: KeyHost

  before(async () => {
    host = await openKeyHost()
  })
  beforeEach(() => host.reset())
  after(() => host.stop())

  describe('with a known directory', () => {
    it('verifies the dictionary form', async () => {
      expect(await host.open().verify(await host.signed())).to.deep.equal({
        outcome: 'verified',
        origin: host.url,
      })
      expect(host.seen.asked).to.deep.equal([WELL_KNOWN])
    })

    it('verifies the bare string of earlier drafts', async () => {
      const bare = { url: URL_SIGNED, agent: `"${host.url}"`, created: NOW }
      expect((await host.open().verify(await host.bot.signed(bare))).outcome).to.equal('verified')
    })

    for (const components of [
      ['@target-uri', member('sig1')],
      ['@authority', '@method', '@path', '@query', '@scheme', '@request-target', member('sig1')],
    ]) {
      it(`verifies a signature over ${components.length} components`, async () => {
        const message = await host.signed({ components })
        expect(await host.open().verify(message)).to.include({ outcome: 'verified' })
      })
    }

    it('verifies a signature relabelled by a proxy', async () => {
      const facts = await host.signed()
      const relabelled = {
        ...facts,
        signature: facts.signature.replace('sig1=', 'front='),
        signatureInput: facts.signatureInput.replace('sig1=', 'front='),
      }
      expect((await host.open().verify(relabelled)).outcome).to.equal('verified')
    })

    it('fetches the directory once for many requests, concurrent or later', async () => {
      const { verify } = host.open()
      const many = await Promise.all([1, 2, 3, 4].map(async () => verify(await host.signed())))
      many.push(await verify(await host.signed({ created: NOW }), { now: NOW + HOUR / 30 }))
      expect(many.map(({ outcome }) => outcome)).to.deep.equal(Array(5).fill('verified'))
      expect(host.seen.asked).to.have.length(1)
    })
  })

  for (const [what, reason, change, options] of invalidSignatures(NOW)) {
    it(`refuses ${what}`, async () => {
      expect(await host.open().verify(change(await host.signed()), options)).to.deep.equal({
        outcome: 'invalid',
        reason,
      })
    })
  }

  it('refuses a lifetime of more than a day and accepts one of a day', async () => {
    const day = await host.signed({ created: NOW, expires: NOW + 24 * HOUR })
    const longer = await host.signed({ created: NOW, expires: NOW + 24 * HOUR + 1000 })
    expect((await host.open().verify(day)).outcome).to.equal('verified')
    expect(await host.open().verify(longer)).to.deep.equal({ outcome: 'invalid', reason: 'untimely' })
  })

  for (const [what, components] of [
    ['not bound to a site', ['@method', member('sig1')]],
    ['not bound to its directory', ['@authority', '@method']],
  ] as const) {
    it(`refuses a signature that is ${what}`, async () => {
      // The library insists on covering the header, so it is hidden from it here.
      const facts = await host.bot.signed({
        url: URL_SIGNED,
        agent: '',
        created: NOW,
        components: [...components],
      })
      const named = { ...facts, signatureAgent: `sig1="${host.url}"` }
      expect(await host.open().verify(named)).to.deep.equal({ outcome: 'invalid', reason: 'not_covered' })
    })
  }

  it('refuses a target URI on another site', async () => {
    const facts = await host.signed({
      url: 'https://other.acme.io/',
      components: ['@target-uri', member('sig1')],
    })
    expect(await host.open().verify(facts)).to.deep.equal({ outcome: 'invalid', reason: 'not_covered' })
  })

  it('refuses a key that is only in another directory', async () => {
    expect(await host.open().verify(await host.signed({}, host.stranger))).to.deep.equal({
      outcome: 'invalid',
      reason: 'key_unknown',
    })
  })

  it('refuses a used nonce, but not at another endpoint or after a dry run', async () => {
    const { verify } = host.open()
    const facts = await host.signed({ nonce: generateNonce() })
    const outcomes = [
      await verify(facts, { dryRun: true }),
      await verify(facts),
      await verify(facts),
      await verify(facts, { audience: 'another' }),
    ]
    expect(outcomes.map(({ outcome }) => outcome)).to.deep.equal([
      'verified',
      'verified',
      'invalid',
      'verified',
    ])
    expect(outcomes[2]).to.deep.equal({ outcome: 'invalid', reason: 'replayed' })
  })

  describe('without a verdict', () => {
    it('ignores signatures for other purposes', async () => {
      const facts = await host.signed()
      const other = {
        ...facts,
        signatureInput: facts.signatureInput.replace('web-bot-auth', 'agent-payer-auth'),
      }
      const none = { outcome: 'unverified', reason: 'no_bot_signature' }
      expect(await host.open().verify(other)).to.deep.equal(none)
      const both = {
        ...facts,
        signature: `first=:AAAA:, ${facts.signature}`,
        signatureInput: `first=("@method");tag="other", ${facts.signatureInput}`,
      }
      expect((await host.open().verify(both)).outcome).to.equal('verified')
    })

    it('fetches directories of known signers only', async () => {
      for (const agent of [
        '"https://unknown.example"',
        `"${'http://127.0.0.1:1'}"`,
        '"not a url"',
        'token',
        '7',
      ]) {
        expect(await host.open().verify(await host.signed({ agent }))).to.deep.equal({
          outcome: 'unverified',
          reason: 'signer_unknown',
        })
      }
      expect(host.seen.asked).to.deep.equal([])
    })

    it('does not guess a component that the counterparty cannot report', async () => {
      for (const name of ['content-type', 'constructor']) {
        const facts = await host.signed({ components: ['@authority', name, member('sig1')] })
        expect(await host.open().verify(facts)).to.deep.equal({
          outcome: 'unverified',
          reason: 'unknown_component',
        })
      }
    })

    for (const [what, broken] of [
      ['fails', { status: 500, body: '' }],
      ['redirects', { status: 302, body: '', location: '/elsewhere' }],
      ['returns no directory', { status: 200, body: '<html>' }],
      ['returns too many keys', { status: 200, body: JSON.stringify({ keys: Array(65).fill({}) }) }],
      ['returns too much', { status: 200, body: ' '.repeat(70_000) }],
    ] as const) {
      it(`reports that the directory ${what}, and retries only after a minute`, async () => {
        const { verify, failures } = host.open()
        host.seen.answer = broken
        const unreachable = { outcome: 'unverified', reason: 'directory_unreachable' }
        expect(await verify(await host.signed())).to.deep.equal(unreachable)
        expect(await verify(await host.signed(), { now: NOW + 59_000 })).to.deep.equal(unreachable)
        expect([host.seen.asked.length, failures.length]).to.deep.equal([1, 1])
        host.seen.answer = { status: 200, body: JSON.stringify({ keys: [host.bot.publicJwk] }) }
        expect((await verify(await host.signed(), { now: NOW + 61_000 })).outcome).to.equal('verified')
      })
    }
  })

  describe('when keys rotate', () => {
    const at = async (verify: ReturnType<KeyHost['open']>['verify'], now: number) =>
      (await verify(await host.signed({ created: now - 1000 }), { now })).outcome

    it('drops a key after an hour if the directory omits it', async () => {
      const { verify } = host.open()
      expect(await at(verify, NOW)).to.equal('verified')
      host.seen.answer = { status: 200, body: JSON.stringify({ keys: [host.stranger.publicJwk] }) }
      expect(await at(verify, NOW + HOUR - 1)).to.equal('verified')
      expect(await at(verify, NOW + HOUR)).to.equal('invalid')
    })

    it('keeps keys through an outage of less than a day', async () => {
      const { verify } = host.open()
      expect(await at(verify, NOW)).to.equal('verified')
      host.seen.answer = { status: 503, body: '' }
      expect(await at(verify, NOW + 2 * HOUR)).to.equal('verified')
      expect(await at(verify, NOW + 24 * HOUR)).to.equal('unverified')
    })

    it('refuses keys outside their validity, with a public private half, or not for signing', async () => {
      const seconds = NOW / 1000
      const rfcKey = { kty: 'OKP', crv: 'Ed25519', x: 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs' }
      for (const jwk of [
        { ...host.bot.publicJwk, nbf: seconds + 1 },
        { ...host.bot.publicJwk, exp: seconds },
        { ...host.bot.publicJwk, use: 'enc' },
        { kty: 'oct', k: 'AAAA' },
        rfcKey,
        { kty: 'OKP', crv: 'Ed25519', x: 'short' },
      ]) {
        host.seen.answer = { status: 200, body: JSON.stringify({ keys: [jwk] }) }
        expect(await host.open().verify(await host.signed())).to.deep.equal({
          outcome: 'invalid',
          reason: 'key_unknown',
        })
      }
    })
  })
})
