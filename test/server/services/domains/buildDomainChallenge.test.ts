import { expect } from 'chai'
import { buildDomainChallenge } from '../../../../server/services/domains/buildDomainChallenge.ts'

const FILE = '/.well-known/svc-endpoint-verification.json'

describe('buildDomainChallenge', () => {
  const fileOf = (url: string) =>
    buildDomainChallenge({ url, host: new URL(url).hostname }, 'token').wellKnown.url

  it('asks for a file at the default HTTPS port of a public host, whatever the URL', () => {
    for (const url of [
      'https://shop.io/v1',
      'http://shop.io',
      'https://shop.io:8443/v1',
      'http://shop.io:8080',
    ]) {
      expect(fileOf(url), url).to.equal(`https://shop.io${FILE}`)
    }
  })

  it('asks for a file under the origin of a private host', () => {
    expect(fileOf('http://localhost:4001/v1')).to.equal(`http://localhost:4001${FILE}`)
  })

  it('names the endpoint once it is registered', () => {
    const target = { url: 'https://shop.io', host: 'shop.io' }
    const entries = (svceId?: string) =>
      buildDomainChallenge(svceId === undefined ? target : { ...target, svceId }, 'token').wellKnown.body
        .verifications
    expect(entries()).to.deep.equal([{ token: 'token' }])
    expect(entries('SVCE-1')).to.deep.equal([{ svceId: 'SVCE-1', token: 'token' }])
  })
})
