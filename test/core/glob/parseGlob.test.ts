import { parseGlob } from '@svc/core/glob/parseGlob.ts'
import { expect } from 'chai'

describe('parseGlob rejects', () => {
  for (const [what, pattern] of [
    ['empty', ''],
    ['two stars beside other characters', 'a**'],
    ['three stars', '***'],
    ['an open bracket', 'a[bc'],
    ['an empty set', '[]'],
    ['a set across segments', '[a/b]'],
    ['an open brace', '{a,b'],
    ['an unmatched closing brace', 'a}'],
    ['a backslash', 'a\\*'],
    ['a control character', 'a\u0001'],
    ['a lone surrogate', 'a\ud800'],
    ['more than 512 characters', 'a'.repeat(513)],
    ['more than 64 alternatives', '{a,b}'.repeat(7)],
    ['more than 64 alternatives in one brace', `{${'a,'.repeat(64)}a}`],
    ['braces nested deeper than 8', '{a,'.repeat(9) + '}'.repeat(9)],
    ['a bomb of braces', '{a,b}'.repeat(100)],
  ] as const) {
    it(what, () => {
      const parsed = parseGlob(pattern)
      expect(parsed.ok).to.equal(false)
    })
  }
})
