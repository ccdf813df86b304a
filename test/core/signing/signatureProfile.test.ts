import { isNonce } from '@svc/core/signing/signatureProfile.ts'
import { expect } from 'chai'

describe('a nonce', () => {
  it('has 16 to 128 visible ASCII characters', () => {
    for (const text of ['n'.repeat(16), 'n'.repeat(128), 'AAAAAAAAAAAAAA+/==', '~'.repeat(16)]) {
      expect(isNonce(text), text).to.equal(true)
    }
    for (const text of [
      '',
      'n'.repeat(15),
      'n'.repeat(129),
      'a'.repeat(20).replace('a', ' '),
      `${'n'.repeat(16)}\n`,
      'é'.repeat(16),
    ]) {
      expect(isNonce(text), text).to.equal(false)
    }
  })
})
