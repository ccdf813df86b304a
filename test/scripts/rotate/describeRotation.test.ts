import { expect } from 'chai'
import { describeRotation } from '../../../scripts/rotate/describeRotation.ts'

const column = { name: 'totp_factors.sealed_secret', current: 2, reencrypted: 1, unreadable: [] as string[] }
const rotation = { keyId: 'new', columns: [column], stillUsed: [] as string[], isDone: false }
const lastLinesOf = (more: Partial<typeof rotation>) =>
  describeRotation({ ...rotation, ...more })
    .split('\n')
    .slice(1)

describe('what npm run rotate-secrets says', () => {
  it('is that the former keys may be removed once everything is done', () => {
    expect(describeRotation({ ...rotation, isDone: true })).to.equal(
      'totp_factors.sealed_secret: 1 encrypted again; 2 under the current key\n' +
        'Every stored secret is encrypted with the key new, which every running process uses: SECRETS_KEY_FORMER may be removed.',
    )
  })

  it('is what to do while a secret cannot be read, also if no former key is known', () => {
    const columns = [{ ...column, unreadable: ['a', 'b'] }]
    const todo =
      'Not every stored secret is encrypted with the key new: add the missing key to SECRETS_KEY_FORMER, or delete what ' +
      'cannot be read, then run this again.'
    const rows = 'totp_factors.sealed_secret: no key opens 2 of them, such as those of a, b'
    expect(lastLinesOf({ columns })).to.deep.equal([rows, todo])
    expect(lastLinesOf({ columns, stillUsed: ['old'] })).to.deep.equal([
      ...[rows, todo],
      'SECRETS_KEY_FORMER is still needed (old).',
    ])
  })

  it('is to restart every process while one encrypts with another key, or may', () => {
    expect(lastLinesOf({ stillUsed: ['old', 'older'] })).to.deep.equal([
      'SECRETS_KEY_FORMER is still needed (old, older): a process encrypts with a former key; restart every process with the ' +
        'key new, then run this again.',
    ])
    expect(lastLinesOf({})[0]).to.match(
      /still needed: a process of an earlier release may encrypt with it; restart/,
    )
  })
})
