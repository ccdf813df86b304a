import { expect } from 'chai'
import fc from 'fast-check'
import { findJsonFault } from '../../../server/middleware/findJsonFault.ts'

describe('findJsonFault', () => {
  for (const [text, line, column, expected] of [
    ['', 1, 1, null],
    ['{"a": 1,}', 1, 9, 'a name in double quotes'],
    ["{'a': 1}", 1, 2, 'a name in double quotes or `}`'],
    ['{\n  "a": 1\n  "b": 2\n}', 3, 3, '`,` or `}`'],
    ['{"a" 1}', 1, 6, '`:`'],
    ['{"a": undefined}', 1, 7, 'a value'],
    ['[1, 2,]', 1, 7, 'a value'],
    ['[,]', 1, 2, 'a value or `]`'],
    ['[1}', 1, 3, '`,` or `]`'],
    ['{} {}', 1, 4, 'nothing more'],
    ['[01]', 1, 3, '`,` or `]`'],
    ['["a\nb"]', 1, 4, 'control characters in strings to be escaped'],
    ['["\\x"]', 1, 3, 'an escape sequence of JSON'],
    ['{"a": "b', 1, 9, null],
    ['{"a": [1', 1, 9, null],
  ] as const) {
    it(`finds the fault of ${JSON.stringify(text)}`, () => {
      expect(findJsonFault(text)).to.deep.equal({ line, column, expected })
    })
  }

  it('finds one exactly where the parser does', () => {
    const broken = fc
      .tuple(
        fc.json(),
        fc.nat(),
        fc.constantFrom('', '"', ',', '}', ']', ':', '\\', '0', '-', 'e', '\n', 'tru'),
      )
      .map(([text, at, inserted]) => {
        const place = at % (text.length + 1)
        return text.slice(0, place) + inserted + text.slice(place + 1)
      })
    fc.assert(
      fc.property(broken, (text) => {
        expect(findJsonFault(text) === null, text).to.equal(isJson(text))
      }),
      { numRuns: 2_000 },
    )
  })
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
