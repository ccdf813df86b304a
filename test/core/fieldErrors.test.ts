import { fieldErrorsOf, parseWith } from '@svc/core/fieldErrors.ts'
import { expect } from 'chai'
import { z } from 'zod'

const schema = z.strictObject({
  text: z.string().max(3).optional(),
  count: z.int().min(1).optional(),
  kind: z.enum(['a', 'b']).optional(),
  list: z.array(z.boolean()).max(1).optional(),
  needed: z.string(),
})
const errorsOf = (input: unknown) => {
  const parsed = parseWith(schema, input)
  return parsed.ok ? [] : parsed.errors
}
const errorOf = (input: object) => errorsOf({ needed: 'x', ...input })[0]

describe('field errors', () => {
  it('say what was got and what was expected', () => {
    expect(errorOf({ text: 5 })).to.deep.equal({
      pointer: '/text',
      code: 'invalid_type',
      message: 'expected a string, got 5',
    })
    expect(errorOf({ count: 1.5 })?.message).to.equal('expected an integer, got 1.5')
    expect(errorOf({ count: null })?.message).to.equal('expected a number, got null')
    expect(errorOf({ text: {} })?.message).to.equal('expected a string, got an object')
    expect(errorOf({ kind: 'c' })?.message).to.equal('expected one of "a", "b", got "c"')
    expect(errorOf({ list: [true, false] })?.message).to.equal('expected at most 1 item, got an array of 2')
    expect(errorOf({ count: 0 })?.message).to.equal('expected at least 1, got 0')
  })

  it('distinguish a missing field from an invalid one', () => {
    expect(errorsOf({})).to.deep.equal([
      { pointer: '/needed', code: 'required', message: 'required: a string' },
    ])
  })

  it('list the values that a missing field may have', () => {
    const parsed = parseWith(z.object({ kind: z.enum(['a', 'b']) }), {})
    expect(parsed.ok ? [] : parsed.errors).to.deep.equal([
      { pointer: '/kind', code: 'required', message: 'required: one of "a", "b"' },
    ])
  })

  it('carry the code of our own rules, and otherwise that of the schema', () => {
    const given = z.string().refine(() => false, { message: 'no', params: { code: 'of_ours' } })
    const numbered = z.string().refine(() => false, { message: 'no', params: { code: 5 } })
    const parsed = parseWith(z.object({ given, numbered, plain: z.string().regex(/^x$/, 'not x') }), {
      given: 'a',
      numbered: 'a',
      plain: 'a',
    })
    expect(parsed.ok ? [] : parsed.errors).to.deep.equal([
      { pointer: '/given', code: 'of_ours', message: 'no' },
      { pointer: '/numbered', code: 'custom', message: 'no' },
      { pointer: '/plain', code: 'invalid_format', message: 'not x' },
    ])
  })

  it('list two faults of one field, but the same fault only once', () => {
    const twice = z.string().regex(/^a/, 'no a').regex(/^b/, 'no b').regex(/^c/, 'no b')
    const parsed = parseWith(twice, 'x')
    expect(parsed.ok ? [] : parsed.errors.map(({ message }) => message)).to.deep.equal(['no a', 'no b'])
  })

  it('explain why a misspelt field is rejected', () => {
    expect(errorOf({ a: 1 })).to.deep.equal({
      pointer: '/a',
      code: 'unknown_key',
      message: 'unknown field; a misspelt rule would silently have no effect',
    })
  })

  it('show up to forty characters of a text and sixty-four of a name', () => {
    const forty = 'x'.repeat(40)
    expect(errorOf({ count: forty })?.message).to.equal(`expected a number, got "${forty}"`)
    expect(errorOf({ count: `${forty}x` })?.message).to.equal(
      'expected a number, got a string of 41 characters',
    )
    expect(errorOf({ ['k'.repeat(64)]: 1 })?.pointer).to.equal(`/${'k'.repeat(64)}`)
    expect(errorOf({ ['k'.repeat(65)]: 1 })?.pointer).to.equal(`/${'k'.repeat(64)}…`)
  })

  it('describe a long text by its length', () => {
    expect(errorOf({ text: 'x'.repeat(1000) })?.message).to.equal(
      'expected at most 3 characters, got a string of 1000 characters',
    )
  })

  it('point at each unknown key, escaped and truncated', () => {
    const pointers = errorsOf({ needed: 'x', 'a/b~c': 1, ['k'.repeat(100)]: 1 }).map(({ pointer }) => pointer)
    expect(pointers).to.deep.equal(['/a~1b~0c', `/${'k'.repeat(64)}…`])
  })

  it('are limited to fifty', () => {
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`k${index}`, 1]))
    expect(errorsOf(many)).to.have.length(50)
  })

  it('report each fault of a number in a query once, and only what the caller sent', () => {
    const place = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER)
    const messages = ['', 'x', '1e20'].map((text) => {
      const result = z.object({ place }).safeParse(text === '' ? {} : { place: text })
      return result.success ? [] : fieldErrorsOf(result.error).map(({ message }) => message)
    })
    expect(messages).to.deep.equal([
      ['expected a number'],
      ['expected a number'],
      [`expected at most ${Number.MAX_SAFE_INTEGER}`],
    ])
  })

  it('work without the input if the schema was run without reporting it', () => {
    const result = schema.safeParse({ text: 5 })
    const errors = result.success ? [] : fieldErrorsOf(result.error)
    expect(errors.map(({ code, message }) => `${code}: ${message}`)).to.deep.equal([
      'invalid_type: expected a string, got number',
      'required: required: a string',
    ])
  })
})
