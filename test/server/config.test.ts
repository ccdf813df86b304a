import { expect } from 'chai'
import { readConfig } from '../../server/config.ts'

describe('the settings of identity providers', () => {
  const google = { OIDC_GOOGLE_CLIENT_ID: 'id', OIDC_GOOGLE_CLIENT_SECRET: 'secret' }

  it('are none by default', () => {
    expect(readConfig({}).oidc).to.deep.equal({ google: null, microsoft: null })
  })

  it('name the public issuers unless another is given', () => {
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
    it(`stop the start when ${missing} is missing beside ${Object.keys(given)}`, () => {
      expect(() => readConfig({ ...given })).to.throw(`Setting ${missing} is missing`)
    })
  }

  it('want HTTPS where private addresses are refused', () => {
    const settings = { ...google, OIDC_GOOGLE_ISSUER: 'http://127.0.0.1:9', ALLOW_PRIVATE_NETWORK: 'false' }
    expect(() => readConfig(settings)).to.throw('expected an HTTPS address')
  })

  it('refuse a misspelt one', () => {
    expect(() => readConfig({ OIDC_GOOGLE_SECRET: 'x' })).to.throw('Setting OIDC_GOOGLE_SECRET is not known')
  })
})
