import { expect } from 'chai'
import { listPlaces } from '../../../web/src/shell/places.ts'

const ROLES = ['protect', 'run', 'review', 'ask', null]

describe('the main menu', () => {
  const firstOf = (role: string | null, isOperator = false) => listPlaces(role, isOperator)[1]?.name
  const addresses = (role: string | null, isOperator: boolean) =>
    listPlaces(role, isOperator)
      .flatMap(({ places }) => places.map(({ to }) => to))
      .sort()

  it('begins, after the overview, with what the account is here for', () => {
    expect(firstOf('protect')).to.equal('Your APIs')
    expect(firstOf('run')).to.equal('Your agents')
    expect(firstOf('review', true)).to.equal('Your review')
    expect(firstOf(null)).to.equal('Your agents')
  })

  it('leads to the same pages whatever that is', () => {
    for (const isOperator of [false, true]) {
      for (const role of ROLES) {
        expect(addresses(role, isOperator)).to.deep.equal(addresses(null, isOperator))
      }
    }
  })

  it('leads only operators to reviews, also if somebody else has chosen to review', () => {
    for (const role of ROLES) expect(addresses(role, false).join()).not.to.match(/operator|moderation/)
    expect(addresses(null, true)).to.include.members(['/operator', '/moderation'])
  })
})
