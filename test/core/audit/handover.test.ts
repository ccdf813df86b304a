import { parseHandover, writeHandoverText } from '@svc/core/audit/handover.ts'
import { expect } from 'chai'

const HANDOVER = {
  origin: 'registry.example/audit/1',
  verifierKey: 'registry.example/audit/1+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW',
  signsFrom: '2026-01-05T00:00:00.000Z',
}
const noteOf = (name: string, signature: string) =>
  `${writeHandoverText(HANDOVER)}\n\u2014 ${name} ${signature}\n`

/** So many characters exhaust the stack of a regular expression. */
const MANY = 9_000_000

describe('a hand-over', () => {
  it('reads as it was written', () => {
    const parsed = parseHandover(noteOf(HANDOVER.origin, 'AAAAAAE='))
    expect(parsed).to.include({ ...HANDOVER, text: writeHandoverText(HANDOVER) })
    expect(parsed?.signature).to.deep.include({ name: HANDOVER.origin, signature: Uint8Array.of(1) })
  })

  it('is rejected if it is longer than any real note, without being searched', () => {
    expect(parseHandover(noteOf(HANDOVER.origin, 'A'.repeat(MANY)))).to.equal(null)
    expect(parseHandover(noteOf('a'.repeat(MANY), 'AAAAAAE='))).to.equal(null)
  })
})
