import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { readSiweMessage } from '../../../server/external/readSiweMessage.ts'

/** Messages of the reference implementation of EIP-4361. */
const MESSAGES: Record<'valid' | 'otherAuthorities' | 'invalid', string[]> = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../fixtures/standards/siweMessages.json'), 'utf8'),
)

describe('readSiweMessage', () => {
  it('reads the valid messages of the reference', () => {
    const { valid } = MESSAGES
    expect(valid).to.have.length(16)
    for (const message of valid) {
      const [, nonce] = /^Nonce: (\w+)$/m.exec(message) ?? []
      expect(readSiweMessage(message), message).to.include({ nonce })
    }
  })

  it('refuses the invalid messages of the reference', () => {
    const { invalid } = MESSAGES
    expect(invalid).to.have.length(29)
    for (const message of invalid) expect(readSiweMessage(message), message).to.equal(null)
  })

  it('refuses authorities that the dashboard never has: with user information, or an IPv6 address', () => {
    const { otherAuthorities } = MESSAGES
    expect(otherAuthorities).to.have.length(3)
    for (const message of otherAuthorities) expect(readSiweMessage(message), message).to.equal(null)
  })
})
