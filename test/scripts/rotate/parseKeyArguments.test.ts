import { expect } from 'chai'
import { parseKeyArguments } from '../../../scripts/rotate/parseKeyArguments.ts'

const actionOf = (...args: string[]) => parseKeyArguments(['receipts', ...args]).order?.action

describe('the arguments of npm run rotate-keys', () => {
  it('publish a key after a quarter of an hour, or after any time up to 30 days', () => {
    const publish = { kind: 'publish', isStolen: false } as const
    expect(actionOf()).to.deep.equal({ ...publish, leadMs: 900_000 })
    expect(actionOf('--in', '2', '--stolen')).to.deep.equal({ ...publish, leadMs: 120_000, isStolen: true })
    expect(actionOf('--in', '43200')).to.deep.equal({ ...publish, leadMs: 30 * 24 * 3_600_000 })
  })

  for (const minutes of ['1', '43201', '1e9', '1e308', '2.5', '', 'soon', '0x10', '99999999999999999999']) {
    it(`refuse to publish a key ${minutes || 'no'} minutes before it signs`, () => {
      expect(() => actionOf(`--in=${minutes}`)).to.throw(
        `--in must be a whole number of minutes from 2 to 43200, not ${minutes}.`,
      )
    })
  }

  it('withdraw or list keys', () => {
    expect(actionOf('--withdraw', 'KID')).to.deep.equal({ kind: 'withdraw', kid: 'KID' })
    expect(actionOf('--cancel')).to.deep.equal({ kind: 'cancel' })
    expect(actionOf('--list')).to.deep.equal({ kind: 'list' })
  })

  for (const [args, sentence] of [
    [['--cancel', '--stolen'], '--cancel cannot be combined with --stolen.'],
    [['--in', '5', '--cancel'], '--cancel cannot be combined with --in.'],
    [['--withdraw', 'a', '--stolen', '--in', '2'], '--withdraw cannot be combined with --stolen and --in.'],
    [['--list', '--cancel'], '--list cannot be combined with --cancel.'],
  ] as const) {
    it(`refuse ${args.join(' ')}`, () => expect(() => actionOf(...args)).to.throw(sentence))
  }

  it('name one kind of key', () => {
    for (const args of [[], ['push'], ['toString'], ['receipts', 'access-tokens']])
      expect(() => parseKeyArguments(args)).to.throw(/^Which key\? access-tokens \| agent-cards \| receipts/)
  })

  it('may ask how they are written', () => {
    const { usage, order } = parseKeyArguments(['--help'])
    expect(order).to.equal(null)
    expect(usage).to.contain('--withdraw KID')
  })
})
