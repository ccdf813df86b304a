import { expect } from 'chai'
import {
  startFaultyOpenIdProvider,
  type TokenFault,
} from '../../../harness/peers/startFaultyOpenIdProvider.ts'
import { createCookieBrowser } from '../../../harness/service/createCookieBrowser.ts'
import { type StartedService, startService } from '../../../harness/service/startService.ts'
import { told } from '../accounts/told.ts'

const APP_URL = 'https://app.svc.test'

describe('the token of an identity provider', () => {
  let provider: Awaited<ReturnType<typeof startFaultyOpenIdProvider>>
  let service: StartedService

  before(async () => {
    provider = await startFaultyOpenIdProvider('registry')
    service = await startService({
      settings: {
        APP_URL,
        OIDC_GOOGLE_ISSUER: provider.issuer,
        OIDC_GOOGLE_CLIENT_ID: 'registry',
        OIDC_GOOGLE_CLIENT_SECRET: 'secret',
      },
    })
  })
  after(async () => {
    await service.stop()
    await provider.stop()
  })

  const arrive = async (lie: TokenFault) => {
    provider.lie.next = lie
    const browser = createCookieBrowser({ url: APP_URL, baseUrl: service.baseUrl })
    return told(await browser.visit('/api/auth/oauth/google'))
  }

  it('signs in if it is valid', async () => {
    expect(await arrive({})).to.have.property('code')
  })

  const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds
  for (const [what, lie] of [
    ['another nonce', { claims: { nonce: 'another' } }],
    ['no nonce', { claims: { nonce: undefined } }],
    ['another issuer', { claims: { iss: 'https://accounts.google.com' } }],
    ['another audience', { claims: { aud: 'somebody else' } }],
    ['several audiences, of which none is named', { claims: { aud: ['registry', 'other'] } }],
    ['no subject', { claims: { sub: undefined } }],
    ['another’s signature', { isForged: true }],
    ['an end that has passed', { wasWeeksAgo: true }],
    ['a beginning to come', { claims: { nbf: inSeconds(3600) } }],
    ['a body that is no JSON', { body: '{' }],
    ['no ID token', { body: '{"access_token":"a","token_type":"Bearer"}' }],
  ] as [string, TokenFault][]) {
    it(`is refused with ${what}`, async () => {
      expect(await arrive(lie)).to.deep.equal({ error: 'identity_rejected' })
    })
  }

  it('is not read past 64 KiB', async () => {
    const body = JSON.stringify({ access_token: 'a'.repeat(70_000), token_type: 'Bearer' })
    expect(await arrive({ body })).to.deep.equal({ error: 'provider_unavailable' })
  })

  it('creates no account if it is refused', async () => {
    const [row] = await service.rows<{ count: number | string }>('SELECT COUNT(*) AS count FROM users')
    expect(Number(row?.count)).to.equal(1)
  })
})

describe('an identity provider on a private network', () => {
  it('is not contacted if private addresses are refused', async () => {
    const provider = await startFaultyOpenIdProvider('registry')
    const service = await startService({
      settings: {
        APP_URL,
        ALLOW_PRIVATE_NETWORK: 'false',
        OIDC_GOOGLE_ISSUER: provider.issuer.replace('http:', 'https:'),
        OIDC_GOOGLE_CLIENT_ID: 'registry',
        OIDC_GOOGLE_CLIENT_SECRET: 'secret',
      },
    })
    try {
      const browser = createCookieBrowser({ url: APP_URL, baseUrl: service.baseUrl })
      const { url } = await browser.visit('/api/auth/oauth/google')
      expect(url.hash).to.equal('#error=provider_unavailable')
    } finally {
      await service.stop()
      await provider.stop()
    }
  })
})
