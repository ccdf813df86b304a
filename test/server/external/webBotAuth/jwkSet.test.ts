import { expect } from 'chai'
import { JWKS, type KeyHost, openKeyHost, WELL_KNOWN } from './openKeyHost.ts'

describe('Web Bot Auth with the keys of a JWK Set', () => {
  let host: KeyHost

  before(async () => {
    host = await openKeyHost()
  })
  beforeEach(() => host.reset())
  after(() => host.stop())

  it('verifies a signer that names it by its URL, whatever label the key has there', async () => {
    for (const type of ['', ';type=jwks_uri']) {
      const facts = await host.signed({ agent: `"${host.url}${JWKS}"${type}` }, host.stranger)
      expect(await host.open().verify(facts)).to.deep.equal({
        outcome: 'verified',
        origin: host.url + JWKS,
      })
    }
    expect(host.seen.asked).to.deep.equal([JWKS, JWKS])
  })

  it('takes the URL of the well-known directory, and the type directory, for its origin', async () => {
    for (const agent of [WELL_KNOWN, '/', ''].map((path) => `"${host.url}${path}"`)) {
      const verdict = await host.open().verify(await host.signed({ agent }))
      expect(verdict).to.deep.equal({ outcome: 'verified', origin: host.url })
    }
    const typed = await host.signed({ agent: `"${host.url}";type=directory` })
    expect(await host.open().verify(typed)).to.deep.equal({ outcome: 'verified', origin: host.url })
    expect(host.seen.asked).to.deep.equal(Array(4).fill(WELL_KNOWN))
  })

  it('looks a key up in the JWK Set that the signature names, and in no other of the host', async () => {
    for (const [agent, by] of [
      [`"${host.url}"`, host.stranger],
      [`"${host.url}${JWKS}"`, host.bot],
    ] as const) {
      const verdict = await host.open().verify(await host.signed({ agent }, by))
      expect(verdict, agent).to.deep.equal({ outcome: 'invalid', reason: 'key_unknown' })
    }
  })

  it('knows no signer by another path of the host, a query, a fragment, credentials or another type', async () => {
    const { host: address } = new URL(host.url)
    for (const agent of [
      `"${host.url}/other/jwks.json"`,
      `"${host.url}${JWKS}?x=1"`,
      `"${host.url}${JWKS}#x"`,
      `"http://user:pass@${address}${JWKS}"`,
      `"${host.url}/bots/%6awks.json"`,
      `"${host.url}${JWKS}";type=cimd`,
      `"${host.url}${JWKS}";type=directory`,
      `"${host.url}${WELL_KNOWN}";type=directory`,
      `"${host.url}${JWKS}";type="jwks_uri"`,
      `"data:application/json,{}"`,
    ]) {
      const verdict = await host.open().verify(await host.signed({ agent }, host.stranger))
      expect(verdict, agent).to.deep.equal({ outcome: 'unverified', reason: 'signer_unknown' })
    }
    expect(host.seen.asked).to.deep.equal([])
  })
})
