import { listPatterns } from '@svc/core/glob/listPatterns.ts'
import { parseGlob } from '@svc/core/glob/parseGlob.ts'
import { expect } from 'chai'

const problemOf = (glob: string) => {
  const parsed = parseGlob(glob)
  return parsed.ok ? null : parsed.problem
}

describe('parseGlob rejects', () => {
  const BRACES = 'expands to more than 64 alternatives'
  const BACKSLASH = 'contains a backslash or a control character; write a literal * as [*]'
  const STARS = 'has ** next to other characters; it must be a whole segment'
  for (const [what, pattern, problem] of [
    ['empty', '', 'is empty'],
    ['two stars after other characters', 'a**', STARS],
    ['two stars before other characters', '**a', STARS],
    ['three stars', '***', STARS],
    ['two stars that alternatives put next to another', '{*,a}*b', STARS],
    ['three stars that alternatives make', '{**,a}*', STARS],
    ['an open bracket', 'a[bc', 'has a [ without its ]'],
    ['an open bracket at the start', '[a', 'has a [ without its ]'],
    ['an empty set', '[]', 'has a [ without its ]'],
    ['a set across segments', '[a/b]', 'has a [ without its ]'],
    ['an open brace', '{a,b', 'has a { without its }'],
    ['an unmatched closing brace', 'a}', 'has a } without its {'],
    ['a backslash', 'a\\*', BACKSLASH],
    ['a control character', 'a\u0001', BACKSLASH],
    ['a lone surrogate', 'a\ud800', BACKSLASH],
    ['more than 512 characters', 'a'.repeat(513), 'is longer than 512 characters'],
    ['more than 64 alternatives', '{a,b}'.repeat(7), BRACES],
    ['more than 64 alternatives in one brace', `{${'a,'.repeat(64)}a}`, BRACES],
    ['braces nested deeper than 8', '{a,'.repeat(9) + '}'.repeat(9), 'nests braces deeper than 8 levels'],
    ['a bomb of braces', '{a,b}'.repeat(100), BRACES],
  ] as const) {
    it(what, () => expect(problemOf(pattern)).to.equal(problem))
  }
})

describe('parseGlob', () => {
  const patternsOf = (glob: string) => {
    const parsed = parseGlob(glob)
    if (!parsed.ok) throw new Error(parsed.problem)
    return listPatterns(parsed.items, { left: 1_000_000 }) ?? []
  }
  const rangesOf = (glob: string) => {
    const [pattern] = patternsOf(glob)
    const segment = pattern?.[0]
    const item = segment?.kind === 'items' ? segment.items[0] : undefined
    if (item?.kind !== 'class') throw new Error(`${glob} is not a class`)
    const text = (code: number) => String.fromCodePoint(code)
    return [item.negated ? '!' : '', ...item.ranges.map(({ from, to }) => `${text(from)}${text(to)}`)].join(
      ' ',
    )
  }

  it('accepts the limits of length, alternatives and nesting themselves', () => {
    expect(patternsOf('a'.repeat(512))).to.have.length(1)
    expect(patternsOf('{a,b}'.repeat(6))).to.have.length(64)
    expect(patternsOf(`{${'a,'.repeat(63)}a}`)).to.have.length(64)
    expect(patternsOf('{a,'.repeat(8) + '}'.repeat(8))).to.have.length(9)
  })

  it('distinguishes fixed, non-empty, any number of and described segments', () => {
    expect(patternsOf('/ab/*/**/**/?x')).to.deep.equal([
      [
        { kind: 'fixed', text: '' },
        { kind: 'fixed', text: 'ab' },
        { kind: 'some' },
        { kind: 'many' },
        { kind: 'items', items: [{ kind: 'any' }, { kind: 'literal', code: 120 }] },
      ],
    ])
    expect(patternsOf('a*')).to.deep.equal([
      [{ kind: 'items', items: [{ kind: 'literal', code: 97 }, { kind: 'star' }] }],
    ])
  })

  it('expands alternatives in order, nested ones too, and takes brackets literally', () => {
    const textsOf = (glob: string) =>
      patternsOf(glob).map((pattern) =>
        pattern.map((segment) => (segment.kind === 'fixed' ? segment.text : segment.kind)).join('/'),
      )
    expect(textsOf('x{a,b{c,d}}y')).to.deep.equal(['xay', 'xbcy', 'xbdy'])
    expect(textsOf('{a,}')).to.deep.equal(['a', ''])
    expect(textsOf('a,b')).to.deep.equal(['a,b'])
    expect(patternsOf('[{]')).to.have.length(1)
    expect(patternsOf('[,}]{a,b}')).to.have.length(2)
    expect(textsOf('{*,a}*')).to.deep.equal(['many', 'items'])
  })

  it('reads classes as characters and ranges, negated by a leading exclamation mark', () => {
    for (const [glob, ranges] of [
      ['[ab]', ' aa bb'],
      ['[a-c]', ' ac'],
      ['[c-a]', ' ac'],
      ['[a-cx]', ' ac xx'],
      ['[!a-c]', '! ac'],
      ['[!a]', '! aa'],
      ['[!]', ' !!'],
      ['[!!]', '! !!'],
      ['[-a]', ' -- aa'],
      ['[a-]', ' aa --'],
      ['[a-c-e]', ' ac -- ee'],
      ['[]]', ' ]]'],
      ['[🛒-🛕]', ' 🛒🛕'],
    ] as const) {
      expect(rangesOf(glob), glob).to.equal(ranges)
    }
  })
})
