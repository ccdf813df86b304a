import { appliedPolicy } from '@svc/core/access/appliedPolicy.ts'
import { expect } from 'chai'

describe('the applied policy of two boundaries', () => {
  const selfOf = (agent: object, endpoint: object) =>
    appliedPolicy({ selfInstantiation: agent }, { selfInstantiation: endpoint }).selfInstantiation

  it('allows sub-agents where the agent may create them and the endpoint does not forbid it', () => {
    expect(selfOf({ allowed: true }, {}).allowed).to.equal(true)
    expect(selfOf({ allowed: true }, { allowed: true }).allowed).to.equal(true)
    expect(selfOf({ allowed: true }, { allowed: false }).allowed).to.equal(false)
    expect(selfOf({ allowed: false }, { allowed: true }).allowed).to.equal(false)
    expect(selfOf({}, { allowed: true }).allowed).to.equal(false)
  })

  for (const name of ['inheritPermissions', 'requireApproval'] as const) {
    it(`has ${name} where either side has it`, () => {
      expect(selfOf({ [name]: true }, {})[name]).to.equal(true)
      expect(selfOf({}, { [name]: true })[name]).to.equal(true)
      expect(selfOf({ [name]: true }, { [name]: false })[name]).to.equal(true)
      expect(selfOf({ [name]: false }, { [name]: false })[name]).to.equal(false)
      expect(selfOf({}, {})[name]).to.equal(false)
    })
  }

  it('takes a bare action for that action of each category, and not for the end of another name', () => {
    const actionsOf = (left: string, right: string) =>
      appliedPolicy({ purpose: { allowedActions: [left] } }, { purpose: { allowedActions: [right] } }).purpose
        .allowedActions
    expect(actionsOf('shop.search', 'search')).to.deep.equal(['shop.search'])
    expect(actionsOf('search', 'shop:search')).to.deep.equal(['shop.search'])
    expect(actionsOf('research', 'search')).to.deep.equal([])
    expect(actionsOf('search', 'research')).to.deep.equal([])
  })

  it('has no window of a side that names no day and no hour', () => {
    expect(appliedPolicy({ duration: { allowedDays: [] } }, {}).duration.windows).to.deep.equal([])
    expect(appliedPolicy({ duration: { timezone: 'Asia/Tokyo' } }, {}).duration.windows).to.deep.equal([])
  })
})
