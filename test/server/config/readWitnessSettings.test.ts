import { expect } from 'chai'
import { readWitnessSettings } from '../../../server/config/readWitnessSettings.ts'
import { type StartedWitness, startWitness } from '../../harness/peers/startWitness.ts'

/** The key of a log, from the specification of signed notes. */
const LOG_KEY = 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k'

describe('readWitnessSettings', () => {
  let first: StartedWitness
  let second: StartedWitness
  before(async () => {
    first = await startWitness({ name: 'one.example/w' })
    second = await startWitness({ name: 'two.example/w' })
  })
  after(async () => {
    await first.stop()
    await second.stop()
  })

  it('reads witnesses separated by commas or line breaks, and leaves out comments', () => {
    const keys = [first.verifierKey, second.verifierKey]
    for (const text of [
      `${keys[0]} https://one.example/,${keys[1]} https://two.example/w//`,
      `# ours, and theirs\n${keys[0]}  https://one.example\r\n\n  ${keys[1]} https://two.example/w \n`,
    ]) {
      const read = readWitnessSettings(text, false)
      expect(read.map(({ url }) => url)).to.deep.equal(['https://one.example', 'https://two.example/w'])
      expect(read.map(({ id }) => id)).to.deep.equal(keys.map((key) => key.split('+', 2).join('+')))
    }
    expect(readWitnessSettings('', false)).to.deep.equal([])
  })

  it('says which entry is wrong, and why', () => {
    const good = `${first.verifierKey} https://one.example`
    const wrongId = first.verifierKey.replace(/\+[0-9a-f]{8}\+/, '+00000000+')
    for (const [entry, reason] of [
      [second.verifierKey, 'is not "KEY URL"'],
      [`${second.verifierKey} https://two.example 3`, 'is not "KEY URL"'],
      ['two.example https://two.example', 'does not begin with a verifier key'],
      [`${wrongId} https://two.example`, 'has a verifier key whose id does not match'],
      [`${LOG_KEY} https://two.example`, 'has the key of a log'],
      [`${second.verifierKey} http://two.example`, 'has no HTTPS address'],
      [`${second.verifierKey} two.example`, 'has no HTTPS address'],
    ] as const) {
      expect(() => readWitnessSettings(`${good}, ${entry}`, false), entry).to.throw(
        `Setting WITNESSES: entry 2 ${reason}`,
      )
    }
    expect(() => readWitnessSettings(`${good}, ${good}`, false)).to.throw('two witnesses have the same key')
  })

  it('accepts HTTP only where private addresses are allowed', () => {
    expect(readWitnessSettings(first.setting, true)).to.have.length(1)
    expect(() => readWitnessSettings(first.setting, false)).to.throw('has no HTTPS address')
  })
})
