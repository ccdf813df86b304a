import { createPresenter, type RequestFacts, readPresentedIdentity } from '@svc/client'
import { readRequest } from '@svc/client/gateway/readRequest.ts'
import { pathOf } from '@svc/client/gateway/requestFacts.ts'
import { verificationFieldsOf } from '@svc/client/gateway/verificationFieldsOf.ts'
import { expect } from 'chai'

const PRESENTED = createPresenter({
  ...{ svcId: 'SVC-1', verifyUrl: 'https://svc.test', purpose: 'shopping:buy', durationSeconds: 60 },
  agentCardUrl: 'https://agent.io/card.json',
}).headers()
const SENT = { ...PRESENTED, 'User-Agent': 'Bot/1', Host: 'shop.io', Signature: 'sig1=:AA==:' }

const fieldsOf = (facts: RequestFacts, contentDigest?: string) =>
  verificationFieldsOf(readRequest(facts), contentDigest)

describe('verificationFieldsOf', () => {
  describe('reads the same from', () => {
    const expected = {
      ...{ agentId: 'SVC-1', purpose: 'shopping:buy', sessionDuration: 60, resource: '/' },
      callerMetadata: {
        ...{ userAgent: 'Bot/1', host: 'shop.io', agentCardUrl: 'https://agent.io/card.json' },
        ...{ signature: 'sig1=:AA==:', targetUri: 'http://shop.io/' },
      },
    }
    const lower = Object.entries(SENT).map(([name, value]): [string, string] => [name.toLowerCase(), value])
    for (const [what, headers] of [
      ['the headers of Node', Object.fromEntries(lower)],
      ['an object with other names', SENT],
      ['an object with lists', Object.fromEntries(lower.map(([name, value]) => [name, [value]]))],
      ['a Headers', new Headers(SENT)],
      ['a Map', new Map(lower)],
      ['pairs', lower],
    ] as const) {
      it(what, () => {
        expect(JSON.parse(JSON.stringify(fieldsOf({ headers })))).to.deep.equal(expected)
      })
    }
  })

  it('reads the agent card of metadata in preference to that of the headers', () => {
    const metadata = { 'X-Svc-Agent-Card': 'https://other.io/card.json' }
    const { callerMetadata } = fieldsOf({ headers: PRESENTED, metadata })
    expect(callerMetadata?.agentCardUrl).to.equal('https://other.io/card.json')
  })

  it('hands over a proof in metadata that cannot be read, in place of a right one in the headers', () => {
    const headers = { ...PRESENTED, 'X-Svc-Proof': 'a.b.c', 'X-Svc-Token': 't.u.v' }
    const metadata = { 'x-svc-proof': { a: 1 }, 'x-svc-token': ['t.u.v', 't.u.v'] }
    expect(fieldsOf({ headers, metadata })).to.include({ intentProof: '\u007f', agentToken: '\u007f' })
  })

  it('keeps what the gateway knows of the caller unless the application states it, member by member', () => {
    const { callerMetadata } = fieldsOf({
      headers: SENT,
      sourceIp: '192.0.2.1',
      fields: { callerMetadata: { sourceIp: '198.51.100.7', userAgent: undefined } },
    })
    expect(callerMetadata).to.deep.include({ sourceIp: '198.51.100.7', userAgent: 'Bot/1', host: 'shop.io' })
  })
})

describe('what the signature of a request covers', () => {
  const headers = {
    ...{
      signature: 'svc=:AA==:',
      'signature-input': 'svc=("x-svc-id" "method" "host" "cookie")',
      host: 'shop.io',
    },
    ...{ 'x-svc-id': 'SVC-1', method: 'forged', cookie: 'secret' },
  }
  const handedOver = (facts: object) =>
    fieldsOf({ headers, method: 'POST', ...facts }, 'digest').callerMetadata

  it('is handed over under the names that the service knows, which no header replaces', () => {
    expect(handedOver({ target: '/a?b' })).to.deep.include({
      ...{ method: 'POST', targetUri: 'http://shop.io/a?b', host: 'shop.io', contentDigest: 'digest' },
      'x-svc-id': 'SVC-1',
    })
    expect(handedOver({})).not.to.have.property('cookie')
    expect(handedOver({ method: undefined })?.method).to.equal(undefined)
  })

  it('is not handed over for a request without a signature', () => {
    const { signature: _, ...unsigned } = headers
    expect(handedOver({ headers: unsigned })).not.to.have.any.keys('x-svc-id', 'method', 'targetUri')
  })

  it('is handed over as far as a cut signature still says what it covered', () => {
    const { signature: _, ...cut } = headers
    expect(handedOver({ headers: cut })?.signatureInput).to.equal(headers['signature-input'])
  })
})

describe('pathOf', () => {
  it('reads the path of a target in any form, without query and fragment', () => {
    for (const [target, path] of [
      ['/a/b?c#d', '/a/b'],
      ['//a/b', '//a/b'],
      ['http://shop.io/a?b', '/a'],
      ['http://shop.io?b', '/'],
      ['HTTPS://u:p@shop.io:8080/é#b', '/é'],
      ['', '/'],
      ['?a', '/'],
      ['a/b', '/a/b'],
      ['*', '/*'],
      [' /a\u00a0', '/a'],
    ] as const) {
      expect(pathOf({ target }), target).to.equal(path)
    }
  })

  it('resolves no dot segments of a URL, because some routers do not either', () => {
    expect(pathOf({ target: 'http://shop.io/secret/../public' })).to.equal('/secret/../public')
    expect(pathOf({ target: 'http://shop.io/secret/%2e%2e/public' })).to.equal('/secret/%2e%2e/public')
  })

  it('keeps a URL whole in which parsers find different paths', () => {
    for (const target of [
      ...['http:///shop.io/a', 'http://@/a', 'http://shop.io:99999/a', 'file://c:/a', 'http:/a', 'http:a'],
      'http://\\a',
    ]) {
      expect(pathOf({ target }), target).to.equal(target)
    }
  })
})

describe('readPresentedIdentity', () => {
  it('reads a Headers', () => {
    expect(readPresentedIdentity(new Headers(SENT))).to.deep.include({
      agentId: 'SVC-1',
      sessionDuration: 60,
    })
  })
})
