import { expect } from 'chai'
import { generateNonce } from 'web-bot-auth'
import { createGetText } from '../../../../server/external/outboundHttp.ts'
import { createKeyDirectories } from '../../../../server/external/webBotAuth/keyDirectories.ts'
import { createReplayMemory } from '../../../../server/external/webBotAuth/replayMemory.ts'
import { createWebBotAuth } from '../../../../server/external/webBotAuth/webBotAuth.ts'
import { type BotSigner, createBotSigner, type SignedFacts } from '../../../harness/peers/createBotSigner.ts'
import { listen } from '../../../harness/peers/listen.ts'
import { invalidSignatures } from './invalidSignatures.ts'

const NOW = Date.parse('2026-11-21T12:00:00Z')
const HOUR = 3_600_000
const URL_SIGNED = 'https://shop.acme.io/orders/1?x=1'
const member = (key: string) => ({ name: 'signature-agent', parameters: new Map([['key', key]]) })

describe('Web Bot Auth', () => {
  let bot: BotSigner
  let stranger: BotSigner
  let directory: Awaited<ReturnType<typeof listen>>
  let asked = 0
  let answer: { status: number; body: string; location?: string }

  before(async () => {
    bot = await createBotSigner()
    stranger = await createBotSigner()
    directory = await listen((req, res) => {
      asked += 1
      expect(req.url).to.equal('/.well-known/http-message-signatures-directory')
      res.writeHead(answer.status, answer.location ? { location: answer.location } : {}).end(answer.body)
    })
  })
  beforeEach(() => {
    asked = 0
    answer = { status: 200, body: JSON.stringify({ keys: [bot.publicJwk] }) }
  })
  after(() => directory.stop())

  const open = () => {
    const failures: unknown[] = []
    const verify = createWebBotAuth({
      keyOf: createKeyDirectories({
        getText: createGetText({ allowPrivate: true, timeoutMs: 2000 }),
        onFailed: (_, reason) => failures.push(reason),
      }),
      replays: createReplayMemory(),
      isKnownSigner: (origin) => origin === directory.url,
    })
    return {
      failures,
      verify(
        facts: SignedFacts,
        changes: { authority?: string; now?: number; dryRun?: boolean; audience?: string } = {},
      ) {
        const { signatureAgent, ...request } = facts
        const { authority = 'shop.acme.io', now = NOW, dryRun = false, audience = 'endpoint' } = changes
        const fields = { 'signature-agent': signatureAgent, 'user-agent': 'Chrome' }
        return verify({ request: { ...request, authority, fields }, audience, dryRun, now })
      },
    }
  }
  const signed = (changes: Partial<Parameters<BotSigner['signed']>[0]> = {}, by = bot) =>
    by.signed({
      url: URL_SIGNED,
      agent: `"${directory.url}"`,
      label: 'sig1',
      created: NOW - 1000,
      ...changes,
    })

  describe('with a known directory', () => {
    it('verifies the dictionary form', async () => {
      expect(await open().verify(await signed())).to.deep.equal({
        outcome: 'verified',
        origin: directory.url,
      })
    })

    it('verifies the bare string of earlier drafts', async () => {
      const bare = { url: URL_SIGNED, agent: `"${directory.url}"`, created: NOW }
      expect((await open().verify(await bot.signed(bare))).outcome).to.equal('verified')
    })

    for (const components of [
      ['@target-uri', member('sig1')],
      ['@authority', '@method', '@path', '@query', '@scheme', '@request-target', member('sig1')],
    ]) {
      it(`verifies a signature over ${components.length} components`, async () => {
        const message = await signed({ components })
        expect(await open().verify(message)).to.include({ outcome: 'verified' })
      })
    }

    it('verifies a signature relabelled by a proxy', async () => {
      const facts = await signed()
      const relabelled = {
        ...facts,
        signature: facts.signature.replace('sig1=', 'front='),
        signatureInput: facts.signatureInput.replace('sig1=', 'front='),
      }
      expect((await open().verify(relabelled)).outcome).to.equal('verified')
    })

    it('fetches the directory once for many requests, concurrent or later', async () => {
      const { verify } = open()
      const many = await Promise.all([1, 2, 3, 4].map(async () => verify(await signed())))
      many.push(await verify(await signed({ created: NOW }), { now: NOW + HOUR / 30 }))
      expect(many.map(({ outcome }) => outcome)).to.deep.equal(Array(5).fill('verified'))
      expect(asked).to.equal(1)
    })
  })

  for (const [what, reason, change, options] of invalidSignatures(NOW)) {
    it(`refuses ${what}`, async () => {
      expect(await open().verify(change(await signed()), options)).to.deep.equal({
        outcome: 'invalid',
        reason,
      })
    })
  }

  it('refuses a lifetime of more than a day and accepts one of a day', async () => {
    const day = await signed({ created: NOW, expires: NOW + 24 * HOUR })
    const longer = await signed({ created: NOW, expires: NOW + 24 * HOUR + 1000 })
    expect((await open().verify(day)).outcome).to.equal('verified')
    expect(await open().verify(longer)).to.deep.equal({ outcome: 'invalid', reason: 'untimely' })
  })

  for (const [what, components] of [
    ['not bound to a site', ['@method', member('sig1')]],
    ['not bound to its directory', ['@authority', '@method']],
  ] as const) {
    it(`refuses a signature that is ${what}`, async () => {
      // The library insists on covering the header, so it is hidden from it here.
      const facts = await bot.signed({
        url: URL_SIGNED,
        agent: '',
        created: NOW,
        components: [...components],
      })
      const named = { ...facts, signatureAgent: `sig1="${directory.url}"` }
      expect(await open().verify(named)).to.deep.equal({ outcome: 'invalid', reason: 'not_covered' })
    })
  }

  it('refuses a target URI on another site', async () => {
    const facts = await signed({ url: 'https://other.acme.io/', components: ['@target-uri', member('sig1')] })
    expect(await open().verify(facts)).to.deep.equal({ outcome: 'invalid', reason: 'not_covered' })
  })

  it('refuses a key that is only in another directory', async () => {
    expect(await open().verify(await signed({}, stranger))).to.deep.equal({
      outcome: 'invalid',
      reason: 'key_unknown',
    })
  })

  it('refuses a used nonce, but not at another endpoint or after a dry run', async () => {
    const { verify } = open()
    const facts = await signed({ nonce: generateNonce() })
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
      const facts = await signed()
      const other = {
        ...facts,
        signatureInput: facts.signatureInput.replace('web-bot-auth', 'agent-payer-auth'),
      }
      const none = { outcome: 'unverified', reason: 'no_bot_signature' }
      expect(await open().verify(other)).to.deep.equal(none)
      const both = {
        ...facts,
        signature: `first=:AAAA:, ${facts.signature}`,
        signatureInput: `first=("@method");tag="other", ${facts.signatureInput}`,
      }
      expect((await open().verify(both)).outcome).to.equal('verified')
    })

    it('fetches directories of known signers only', async () => {
      for (const agent of [
        '"https://unknown.example"',
        `"${'http://127.0.0.1:1'}"`,
        '"not a url"',
        'token',
        '7',
      ]) {
        expect(await open().verify(await signed({ agent }))).to.deep.equal({
          outcome: 'unverified',
          reason: 'signer_unknown',
        })
      }
      expect(asked).to.equal(0)
    })

    it('accepts only origins and only the type directory', async () => {
      for (const agent of [
        `"${directory.url}/jwks.json"`,
        `"${directory.url}?a"`,
        `"${directory.url}";type=jwks_uri`,
      ]) {
        expect((await open().verify(await signed({ agent }))).outcome).to.equal('unverified')
      }
      expect((await open().verify(await signed({ agent: `"${directory.url}/"` }))).outcome).to.equal(
        'verified',
      )
      expect(
        (await open().verify(await signed({ agent: `"${directory.url}";type=directory` }))).outcome,
      ).to.equal('verified')
    })

    it('does not guess a component that the counterparty cannot report', async () => {
      for (const name of ['content-type', 'constructor']) {
        const facts = await signed({ components: ['@authority', name, member('sig1')] })
        expect(await open().verify(facts)).to.deep.equal({
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
        const { verify, failures } = open()
        answer = broken
        const unreachable = { outcome: 'unverified', reason: 'directory_unreachable' }
        expect(await verify(await signed())).to.deep.equal(unreachable)
        expect(await verify(await signed(), { now: NOW + 59_000 })).to.deep.equal(unreachable)
        expect([asked, failures.length]).to.deep.equal([1, 1])
        answer = { status: 200, body: JSON.stringify({ keys: [bot.publicJwk] }) }
        expect((await verify(await signed(), { now: NOW + 61_000 })).outcome).to.equal('verified')
      })
    }
  })

  describe('when keys rotate', () => {
    const at = async (verify: ReturnType<typeof open>['verify'], now: number) =>
      (await verify(await signed({ created: now - 1000 }), { now })).outcome

    it('drops a key after an hour if the directory omits it', async () => {
      const { verify } = open()
      expect(await at(verify, NOW)).to.equal('verified')
      answer = { status: 200, body: JSON.stringify({ keys: [stranger.publicJwk] }) }
      expect(await at(verify, NOW + HOUR - 1)).to.equal('verified')
      expect(await at(verify, NOW + HOUR)).to.equal('invalid')
    })

    it('keeps keys through an outage of less than a day', async () => {
      const { verify } = open()
      expect(await at(verify, NOW)).to.equal('verified')
      answer = { status: 503, body: '' }
      expect(await at(verify, NOW + 2 * HOUR)).to.equal('verified')
      expect(await at(verify, NOW + 24 * HOUR)).to.equal('unverified')
    })

    it('refuses keys outside their validity, with a public private half, or not for signing', async () => {
      const seconds = NOW / 1000
      const rfcKey = { kty: 'OKP', crv: 'Ed25519', x: 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs' }
      for (const jwk of [
        { ...bot.publicJwk, nbf: seconds + 1 },
        { ...bot.publicJwk, exp: seconds },
        { ...bot.publicJwk, use: 'enc' },
        { kty: 'oct', k: 'AAAA' },
        rfcKey,
        { kty: 'OKP', crv: 'Ed25519', x: 'short' },
      ]) {
        answer = { status: 200, body: JSON.stringify({ keys: [jwk] }) }
        expect(await open().verify(await signed())).to.deep.equal({
          outcome: 'invalid',
          reason: 'key_unknown',
        })
      }
    })
  })
})
