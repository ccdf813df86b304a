import { readSignatureBase } from '@svc/core/signing/readSignatureBase.ts'
import { expect } from 'chai'
import { createAgentKey } from '../../builders/createAgentKey.ts'
import { signWithBase } from '../../builders/signAsAgent.ts'

describe('a signed text', () => {
  const key = createAgentKey()
  const sent = { svcId: 'SVC-1', url: 'https://shop.example:8443/orders?a=1', created: 1_790_000_000 }
  const nonce = 'n'.repeat(16)
  const { request } = signWithBase(key, { ...sent, nonce })
  const read = (signatureBase: string) => readSignatureBase(signatureBase, request.signature)

  it('is read with its host, its key and its nonce, also where the host is part of the target', () => {
    const stated = { keyid: key.kid, nonce, expires: sent.created + 60, authority: 'shop.example:8443' }
    expect(read(request.signatureBase)).to.include(stated)
    const components = ['@method', '@target-uri', 'x-svc-id']
    const whole = signWithBase(key, { ...sent, nonce, components }).request
    expect(readSignatureBase(whole.signatureBase, whole.signature)).to.include(stated)
  })

  it('is none if its lines are not those that its last one names, or if it names no host', () => {
    const lines = request.signatureBase.split('\n')
    const [first = '', ...others] = lines
    const hostless = signWithBase(key, { ...sent, components: ['@method', 'x-svc-id'] }).request
    for (const text of [
      '',
      lines.slice(0, -1).join('\n'),
      others.join('\n'),
      [first, first, ...others.slice(1)].join('\n'),
      ['"@authority": other.example', ...lines].join('\n'),
      hostless.signatureBase,
    ])
      expect(read(text), text).to.equal(undefined)
    expect(readSignatureBase(request.signatureBase, 'no base64!')).to.equal(undefined)
  })
})
