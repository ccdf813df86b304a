import { createNonceMemory } from '@svc/client/reuse/createNonceMemory.ts'
import { expect } from 'chai'

const NOW = 1_800_000_000
const AT = NOW * 1000
const signature = (nonce: string, { keyid = 'key', expires = NOW + 300 } = {}) => ({
  signatureId: `${keyid} ${nonce}`,
  expires,
})

describe('the memory of nonces', () => {
  it('recognises a nonce of the same key until its signature has expired', () => {
    const memory = createNonceMemory()
    expect(memory.take(signature('a'), AT)).to.equal('fresh')
    expect(memory.take(signature('a'), AT + 299_999)).to.equal('seen')
    expect(memory.take(signature('a', { keyid: 'other' }), AT)).to.equal('fresh')
    expect(memory.take(signature('a', { expires: NOW + 600 }), AT + 300_000)).to.equal('fresh')
  })

  it('forgets the nonce of a signature that was not valid, unless it has been seen again', () => {
    const memory = createNonceMemory()
    memory.take(signature('a'), AT)
    memory.release(signature('a'))
    expect(memory.take(signature('a'), AT)).to.equal('fresh')
    expect(memory.take(signature('a'), AT)).to.equal('seen')
    memory.release(signature('a'))
    expect(memory.take(signature('a'), AT)).to.equal('seen')
  })

  it('remembers a nonce as long as the longer of two signatures with it lasts', () => {
    const memory = createNonceMemory()
    memory.take(signature('a'), AT)
    memory.take(signature('a', { expires: NOW + 10 }), AT)
    expect(memory.take(signature('a'), AT + 20_000)).to.equal('seen')
    memory.take(signature('b', { expires: NOW + 30 }), AT + 20_000)
    memory.take(signature('b'), AT + 20_000)
    expect(memory.take(signature('b'), AT + 40_000)).to.equal('seen')
  })

  it('is sure of nothing once it is full, until what it could not take has expired', () => {
    const memory = createNonceMemory(2)
    const short = { expires: NOW + 10 }
    memory.take(signature('a', short), AT)
    memory.take(signature('b', short), AT)
    expect(memory.take(signature('c'), AT)).to.equal('unsure')
    expect(memory.take(signature('a', short), AT)).to.equal('seen')
    // There is room again, but this could be the one that it could not take.
    expect(memory.take(signature('c'), AT + 10_000)).to.equal('unsure')
    expect(memory.take(signature('d', { expires: NOW + 600 }), AT + 300_000)).to.equal('fresh')
  })
})
