import { sha256Hex } from '@svc/core/hash.ts'
import { buildSignedRequestMessage } from '@svc/core/signing/buildSignedRequestMessage.ts'
import { expect } from 'chai'

describe('the message of a signed request', () => {
  const request = {
    method: 'POST',
    path: '/api/agents/register',
    timestamp: 1763632800,
    nonce: 'n-1',
    bodySha256Hex: sha256Hex('{}'),
  }

  it('is the six lines of the specification, without a final line break', () => {
    expect(buildSignedRequestMessage(request)).to.equal(
      'SVC-SIGNED-REQUEST-V1\nPOST\n/api/agents/register\n1763632800\nn-1\n' +
        '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a',
    )
  })

  it('names the service in its second line, and says so in the first', () => {
    const [form, ...lines] = buildSignedRequestMessage(request).split('\n')
    expect(form).to.equal('SVC-SIGNED-REQUEST-V1')
    expect(
      buildSignedRequestMessage({ ...request, service: 'https://registry.example' }).split('\n'),
    ).to.deep.equal(['SVC-SIGNED-REQUEST-V2', 'https://registry.example', ...lines])
    for (const service of ['https://a\nb', 'https://a\rb'])
      expect(() => buildSignedRequestMessage({ ...request, service })).to.throw('line break')
  })

  it('is the same for a lower-case method and for a timestamp as text', () => {
    expect(buildSignedRequestMessage({ ...request, method: 'post', timestamp: '1763632800' })).to.equal(
      buildSignedRequestMessage(request),
    )
  })

  it('differs with every part', () => {
    const others = [
      { method: 'PUT' },
      { path: '/api/agents/register?x=1' },
      { timestamp: 1763632801 },
      { nonce: 'n-2' },
      { bodySha256Hex: sha256Hex('') },
    ]
    const messages = others.map((other) => buildSignedRequestMessage({ ...request, ...other }))
    expect(new Set([...messages, buildSignedRequestMessage(request)]).size).to.equal(others.length + 1)
  })

  it('rejects line breaks and invalid hashes', () => {
    for (const bad of [
      { nonce: 'a\nb' },
      { path: '/a\r' },
      { method: 'GET\n' },
      { timestamp: '1\n2' },
      { bodySha256Hex: '' },
      { bodySha256Hex: `${request.bodySha256Hex}\n` },
      { bodySha256Hex: request.bodySha256Hex.toUpperCase() },
    ]) {
      expect(() => buildSignedRequestMessage({ ...request, ...bad })).to.throw('signed request')
    }
  })
})
