import { writeCsvLine } from '@svc/core/csv/writeCsvLine.ts'
import { expect } from 'chai'

describe('writeCsvLine', () => {
  it('separates cells with commas and ends with CR LF', () => {
    expect(writeCsvLine(['a', 1.5, null, 'b c'])).to.equal('a,1.5,,b c\r\n')
  })

  it('quotes cells with commas, quotes and line breaks, and doubles the quotes', () => {
    expect(writeCsvLine(['a,b', 'say "x"', 'two\nlines', 'two\rlines'])).to.equal(
      '"a,b","say ""x""","two\nlines","two\rlines"\r\n',
    )
  })

  for (const start of ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠']) {
    it(`lets no spreadsheet run a text that begins with ${JSON.stringify(start)}`, () => {
      expect(writeCsvLine([`${start}cmd()`]).replace(/^"/, '')).to.match(/^'/)
    })
  }

  it('keeps negative numbers', () => {
    expect(writeCsvLine([-1])).to.equal('-1\r\n')
  })
})
