import { compileAllowedGlobs } from '@svc/core/glob/compileResourceRules.ts'
import { coversGlobs } from '@svc/core/glob/coversGlobs.ts'
import { decodeResource } from '@svc/core/glob/decodeResource.ts'
import { expect } from 'chai'
import fc from 'fast-check'
import { scaleCaseCount } from '../../harness/values/scaleCaseCount.ts'

describe('coversGlobs', () => {
  for (const [outer, inner, answer] of [
    [['/a/**'], ['/a/b'], true],
    [['/a/**'], ['/a', '/a/*/c', '/a/**'], true],
    [['/a/**'], ['/ab'], false],
    [['/a/*'], ['/a/**'], false],
    [['/a/*'], ['/a/b*', '/a/?'], true],
    [['/a/*'], ['/a/'], false],
    [['/a/b*'], ['/a/bc', '/a/b*'], true],
    [['/a/b*'], ['/a/*'], false],
    [['/a/{x,y}'], ['/a/x', '/a/y'], true],
    [['/a/x'], ['/a/{x,y}'], false],
    [['**'], ['**/x', '/y'], true],
    [['**/x'], ['/a/**/x', 'x'], true],
    [['/a'], ['/[a'], false],
    [['/[a'], ['/a'], false],
    [['/*'], ['/b'], true],
    [['/*'], ['/*'], true],
    [['/*'], ['/?'], true],
    [['/b'], ['/*'], false],
    [['/b'], ['/b'], true],
    [['/b'], ['/c'], false],
    [['/?'], ['/*'], false],
    [['/[ab]'], ['/[ab]'], true],
    [['/[ab]'], ['/[ac]'], false],
    [['/**'], ['/**'], true],
    [['/a/**/b'], ['/a/b', '/a/x/y/b'], true],
    [['/a', '/b'], ['/a', '/b'], true],
    [['/docs/*'], ['/docs/secret%2f*'], false],
    [['/docs/**'], ['/docs/secret%2f*'], true],
    [['/x/???'], ['/x/%61'], false],
    [['/caf%C3%A9/*'], ['/café/x', '/caf%C3%A9/y'], true],
    [[], ['/a'], false],
    [['/a'], [], true],
  ] as [string[], string[], boolean][]) {
    it(`${answer ? 'finds' : 'does not find'} ${inner} under ${outer}`, () =>
      expect(coversGlobs(outer, inner)).to.equal(answer))
  }

  it('finds a glob under itself, however many alternatives it has', () => {
    const globs = Array.from({ length: 100 }, (_, at) => `/${'{a,b}'.repeat(6)}/${'c'.repeat(400)}${at}`)
    expect(coversGlobs(globs, globs)).to.equal(true)
    expect(coversGlobs(globs, globs.slice(50))).to.equal(true)
  })

  it('compares a hundred globs of six segments with a hundred others', () => {
    const outer = Array.from({ length: 100 }, (_, at) => `/api/v1/tenant-${at}/*/**`)
    const inner = Array.from({ length: 100 }, (_, at) => `/api/v1/tenant-${99 - at}/orders/17`)
    expect(coversGlobs(outer, inner)).to.equal(true)
  })

  it('does not find what would take too long to compare', () => {
    const outer = Array.from({ length: 99 }, (_, at) => `*${'a'.repeat(200)}{b,c,d,e,f,g,h,i}x${at}`)
    const inner = Array.from({ length: 100 }, (_, at) => `${'a'.repeat(490)}${at}`)
    expect(coversGlobs([...outer, '*'], inner)).to.equal(false)
    const deep = (name: string) => Array.from({ length: 100 }, (_, at) => `${name.repeat(250)}${at}`)
    expect(coversGlobs([...deep('*/'), '**'], deep('a/'))).to.equal(false)
  })

  it('is true only if no resource is allowed by the inner glob but not by the outer', () => {
    const segment = fc.constantFrom('a', 'b', '*', '**', '?', 'a*', '[ab]', '{a,b}', '', '%61', 'a%2fb')
    const glob = fc.array(segment, { minLength: 1, maxLength: 4 }).map((segments) => segments.join('/'))
    const globs = fc.array(glob, { minLength: 1, maxLength: 2 })
    const text = fc
      .array(fc.constantFrom('a', 'b', 'ab', 'c', '', '%61', 'a%2fb'), { minLength: 1, maxLength: 4 })
      .map((segments) => segments.join('/'))
    fc.assert(
      fc.property(globs, globs, fc.array(text, { maxLength: 20 }), (outer, inner, texts) => {
        if (!coversGlobs(outer, inner)) return
        const [isOuter, isInner] = [compileAllowedGlobs(outer), compileAllowedGlobs(inner)]
        for (const each of texts) {
          const plain = decodeResource(each) ?? ''
          expect(!isInner(each, plain) || isOuter(each, plain), `${inner} ${outer} ${each}`).to.equal(true)
        }
      }),
      { numRuns: scaleCaseCount(5_000) },
    )
  })
})
