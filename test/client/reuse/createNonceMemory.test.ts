import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createNonceMemory } from '@svc/client/reuse/createNonceMemory.ts'
import { readReusableRequest } from '@svc/client/reuse/readReusableRequest.ts'
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
  it('counts a nonce that it has forgotten until the signature expires, so that its size is bounded', () => {
    const memory = createNonceMemory(2)
    for (let i = 0; i < 2; i += 1) {
      expect(memory.take(signature('a'), AT)).to.equal('fresh')
      memory.release(signature('a'))
    }
    expect(memory.take(signature('a'), AT)).to.equal('unsure')
    expect(memory.take(signature('b', { expires: NOW + 600 }), AT + 300_000)).to.equal('fresh')
  })

  it('holds nothing of the header that a nonce was sent in', () => {
    setFlagsFromString('--expose-gc')
    const heapBytes = (): number => {
      runInNewContext('gc')()
      return process.memoryUsage().heapUsed
    }
    const memory = createNonceMemory()
    const [amount, before] = [10_000, heapBytes()]
    for (let i = 0; i < amount; i += 1) {
      const request = readReusableRequest(signedFields(`nonce-${String(i).padStart(20, '0')}`), undefined, AT)
      if (request === undefined) throw new Error('the request is not reusable')
      memory.take(request, AT)
    }
    expect((heapBytes() - before) / amount).to.be.lessThan(1_000)
    expect(memory.take(signature('other'), AT)).to.equal('fresh')
  })
})

/** A signed request with a header of 3,000 characters. */
function signedFields(nonce: string) {
  const covered = '"@authority" "@method" "@path" "x-svc-id"'
  const tag = ';tag="web-bot-auth"'
  const parameters = `created=${NOW};expires=${NOW + 300};nonce="${nonce}";keyid="${'k'.repeat(43)}"${tag}`
  const signatureInput = Buffer.from(`svc=(${covered});${parameters};x="${'x'.repeat(3_000)}"`).toString()
  const target = { method: 'GET', targetUri: 'https://shop.io/' }
  return { agentId: 'SVC-1', callerMetadata: { ...target, signature: 'svc=:AAAA:', signatureInput } }
}
