import { expect } from 'chai'
import { readConfig } from '../../server/config.ts'

describe('the settings of identity providers', () => {
  const google = { OIDC_GOOGLE_CLIENT_ID: 'id', OIDC_GOOGLE_CLIENT_SECRET: 'secret' }

  it('are none by default', () => {
    expect(readConfig({}).oidc).to.deep.equal({ google: null, microsoft: null })
  })

  it('use the public issuers by default', () => {
    const { oidc } = readConfig({
      ...google,
      OIDC_MICROSOFT_ISSUER: 'https://login.example/tenant/v2.0',
      OIDC_MICROSOFT_CLIENT_ID: 'id',
      OIDC_MICROSOFT_CLIENT_SECRET: 'secret',
    })
    expect(oidc.google?.issuer).to.equal('https://accounts.google.com')
    expect(oidc.microsoft?.issuer).to.equal('https://login.example/tenant/v2.0')
  })

  for (const [given, missing] of [
    [{ OIDC_GOOGLE_CLIENT_ID: 'id' }, 'OIDC_GOOGLE_CLIENT_SECRET'],
    [{ OIDC_GOOGLE_CLIENT_SECRET: 'secret' }, 'OIDC_GOOGLE_CLIENT_ID'],
    [{ OIDC_GOOGLE_ISSUER: 'https://accounts.example' }, 'OIDC_GOOGLE_CLIENT_ID'],
    [{ OIDC_MICROSOFT_CLIENT_ID: 'id' }, 'OIDC_MICROSOFT_CLIENT_SECRET'],
  ] as const) {
    it(`prevent the start if ${missing} is missing but ${Object.keys(given)} is set`, () => {
      expect(() => readConfig({ ...given })).to.throw(`Setting ${missing} is missing`)
    })
  }

  it('require HTTPS if private addresses are refused', () => {
    const settings = { ...google, OIDC_GOOGLE_ISSUER: 'http://127.0.0.1:9', ALLOW_PRIVATE_NETWORK: 'false' }
    expect(() => readConfig(settings)).to.throw('expected an HTTPS address')
  })

  it('reject a misspelt name', () => {
    expect(() => readConfig({ OIDC_GOOGLE_SECRET: 'x' })).to.throw('Setting OIDC_GOOGLE_SECRET is not known')
  })
})

describe('the limit of sign-ups per hour', () => {
  const signUps = (settings: Record<string, string>) => readConfig(settings).rates.signUpsPerHour

  it('is thirty if mails are sent, unlimited if they are written to files, and the configured value in either case', () => {
    const smtp = { SMTP_URL: 'smtp://mail.acme.io' }
    expect(signUps(smtp)).to.equal(30)
    expect(signUps({})).to.be.above(1_000_000)
    expect([
      signUps({ SIGN_UP_RATE_PER_HOUR: '7' }),
      signUps({ ...smtp, SIGN_UP_RATE_PER_HOUR: '7' }),
    ]).to.deep.equal([7, 7])
    expect(() => signUps({ SIGN_UP_RATE_PER_HOUR: '0' })).to.throw('SIGN_UP_RATE_PER_HOUR')
    expect(() => signUps({ SIGN_UPS_PER_HOUR: '7' })).to.throw('not known')
  })
})
