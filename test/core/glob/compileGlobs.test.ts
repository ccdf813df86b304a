import { compileGlobs } from '@svc/core/glob/compileGlobs.ts'
import { indexTexts } from '@svc/core/glob/indexTexts.ts'
import { matchItems } from '@svc/core/glob/matchItems.ts'
import { parseGlob } from '@svc/core/glob/parseGlob.ts'
import { expect } from 'chai'
import fc from 'fast-check'
import { reportFaultFigure } from '../../harness/faults/reportFaultFigure.ts'
import { scaleCaseCount } from '../../harness/values/scaleCaseCount.ts'
import { matchGlobNaively } from './matchGlobNaively.ts'

const piece = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('a', 'b', 'ab', '🛒', '.', '-') },
  { weight: 4, arbitrary: fc.constantFrom('*', '?', '[ab]', '[!a]', '[a-c]', '[*]', '[{,]') },
)
const segmentGlob = fc.oneof(
  { weight: 1, arbitrary: fc.constant('**') },
  {
    weight: 4,
    arbitrary: fc
      .array(piece, { minLength: 0, maxLength: 4 })
      .map((pieces) => pieces.join('').replaceAll('**', '*')),
  },
)
const plainGlob = fc.array(segmentGlob, { minLength: 1, maxLength: 4 }).map((segments) => segments.join('/'))
const choice = fc
  .tuple(segmentGlob, fc.array(plainGlob, { minLength: 1, maxLength: 3 }), segmentGlob)
  .map(([before, choices, after]) => `${before}/{${choices.join(',')}}/${after}`)
const nested = fc
  .tuple(fc.constantFrom('a', 'b*'), fc.constantFrom('x', '?'))
  .map(([one, other]) => `{${one},{${other},c/**}}`)
const starry = fc
  .tuple(fc.constantFrom('', 'a/', 'b'), fc.constantFrom('{*,a}', '{**,a}', '{,/**}', '{a/,}'), plainGlob)
  .map((pieces) => pieces.join(''))
const glob = fc.oneof(plainGlob, choice, nested, starry)
const text = fc
  .array(fc.array(fc.constantFrom('a', 'b', 'c', '.', '-', '🛒', '*', '{'), { maxLength: 4 }), {
    minLength: 1,
    maxLength: 5,
  })
  .map((segments) => segments.map((characters) => characters.join('')).join('/'))

describe('globs', () => {
  it('match what a naive backtracking matcher matches', () => {
    fc.assert(
      fc.property(glob, text, (pattern, resource) => {
        fc.pre(parseGlob(pattern).ok)
        expect(compileGlobs([pattern])(resource), `${pattern} on ${resource}`).to.equal(
          matchGlobNaively(pattern, resource),
        )
      }),
      { numRuns: scaleCaseCount(20_000) },
    )
  })

  it('match a text derived from the pattern itself', () => {
    const fill = (pattern: string, filler: string) =>
      pattern.replaceAll('**', `${filler}/x`).replaceAll('*', filler).replaceAll('?', 'q')
    const simple = fc
      .array(fc.constantFrom('a', '*', '?', 'b*', '*c', 'v?*', '**'), { minLength: 1, maxLength: 8 })
      .map((segments) => segments.join('/'))
    fc.assert(
      fc.property(simple, fc.constantFrom('z', 'abc', 'b'), (pattern, filler) => {
        expect(compileGlobs([pattern])(fill(pattern, filler)), pattern).to.equal(true)
      }),
    )
  })

  it('match as a list if any of them matches', () => {
    fc.assert(
      fc.property(fc.array(glob, { maxLength: 5 }), text, (patterns, resource) => {
        const parsed = patterns.filter((pattern) => parseGlob(pattern).ok)
        const any = parsed.some((pattern) => matchGlobNaively(pattern, resource))
        expect(compileGlobs(patterns)(resource)).to.equal(any)
      }),
      { numRuns: scaleCaseCount(2_000) },
    )
  })

  it('match several texts if any glob matches any of them', () => {
    const globs = fc.array(glob, { maxLength: 3 })
    fc.assert(
      fc.property(globs, fc.array(text, { maxLength: 4 }), (patterns, texts) => {
        const parsed = patterns.filter((pattern) => parseGlob(pattern).ok)
        const any = parsed.some((pattern) => texts.some((one) => matchGlobNaively(pattern, one)))
        expect(compileGlobs(patterns)(...texts), `${patterns} on ${texts}`).to.equal(any)
      }),
      { numRuns: scaleCaseCount(5_000) },
    )
  })

  describe('take the same number of steps for a text of any length', () => {
    /** Counts the matcher's accesses to the positions of the text, because timing is unreliable. */
    const countSteps = (pattern: string, length: number, filler: string): number => {
      const parsed = parseGlob(pattern)
      if (!parsed.ok) throw new Error(parsed.problem)
      let count = 0
      const index = indexTexts([filler.repeat(length).slice(0, length)])
      const watched = new Proxy(index, {
        get(target, name) {
          count += 1
          return Reflect.get(target, name)
        },
      })
      matchItems(parsed.items, watched, index.starts, index.ends)
      return count
    }

    for (const [pattern, filler] of [
      [`${'*a'.repeat(60)}*b`, 'a'],
      [`${'**/a/'.repeat(60)}b`, 'a/'],
      [`**/${'*a'.repeat(30)}/${'**/x*x/'.repeat(20)}end`, 'xax/'],
      [`${'[!b]*'.repeat(60)}b`, 'a'],
      [`{${'*a,'.repeat(15)}*b}`, 'a'],
      [`*${'a'.repeat(60)}${'{?,a}'.repeat(6)}b`, 'a'],
    ] as const) {
      it(`such as ${pattern.slice(0, 24)}…`, () => {
        const [short, long] = [countSteps(pattern, 1_000, filler), countSteps(pattern, 10_000, filler)]
        expect(long).to.equal(short)
        expect(short).to.be.at.most(4 * pattern.length)
        reportFaultFigure(`${pattern.slice(0, 12)}…: ${short} steps, whatever the length of the text`)
      })
    }
  })

  it('take braces and commas inside brackets literally', () => {
    expect(compileGlobs(['/[{]x'])('/{x')).to.equal(true)
    expect(compileGlobs(['/{[,}]a,b}'])('/}a')).to.equal(true)
    expect(compileGlobs(['/{[,}]a,b}'])('/b')).to.equal(true)
    expect(compileGlobs(['/a,b'])('/a,b')).to.equal(true)
  })

  it('count characters outside and at the end of the basic plane as one each', () => {
    for (const [pattern, text, isMatch] of [
      ['?', '🛒', true],
      ['??', '🛒', false],
      ['?', '\uffff', true],
      ['?a', '\uffffa', true],
      ['*a?', '🛒🛒a🛒', true],
      ['*a', '🛒\uffff🛒a', true],
      ['[a-z]/[🛒-🛕]', 'q/🛒', true],
      ['[+-9]', '/', false],
      ['[!a]b', '/b', false],
      ['{*,a}*', 'x/y', true],
      ['{*,a}*', 'ab', true],
      ['a/{**,b}', 'a', true],
      ['a{/**,x}', 'ax', true],
      ['a{/**,x}', 'ab', false],
      ['*[b-c]x', '🛒a🛒bx', true],
      ['*aab', 'aaab', true],
      ['*ab', 'aab', true],
      ['a*b', 'ab', false],
      ['**/a', 'a', true],
      ['**/a/b', 'x/a/a/b', true],
      ['a/**', 'a', true],
      ['a/**', 'ab', false],
      ['a/**/b', 'a/b', true],
      ['**', '', true],
      ['*', '', false],
      ['x', '', false],
    ] as const) {
      expect(compileGlobs([pattern])(text), `${pattern} on ${text}`).to.equal(isMatch)
    }
    expect(compileGlobs([])('a')).to.equal(false)
  })

  it('match even as a list of 10,000', () => {
    const globs = Array.from({ length: 10_000 }, (_, index) => `/tenant${index}/*/x?[a-c]/**`)
    const matches = compileGlobs(globs)
    expect(matches('/tenant9999/y/x1b/deep/er')).to.equal(true)
    expect(matches('/tenant10000/y/x1b/deep/er')).to.equal(false)
  })
})
