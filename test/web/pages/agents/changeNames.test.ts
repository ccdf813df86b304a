import { expect } from 'chai'
import { changeNames, restoreNames } from '../../../../web/src/pages/agents/changeNames.ts'

describe('the change of the other names of an agent', () => {
  const STORED = { ens: 'buyer.eth', did: 'did:web:agent.example' }

  it('has only what was edited, without spaces around it', () => {
    expect(changeNames({}, { ens: ' buyer.eth ' })).to.deep.equal({ names: { ens: 'buyer.eth' } })
    expect(changeNames(STORED, { ens: 'seller.eth', did: STORED.did })).to.deep.equal({
      names: { ens: 'seller.eth' },
    })
  })

  it('removes the name of a field that was emptied', () => {
    expect(changeNames(STORED, { ens: ' ' })).to.deep.equal({ names: { ens: null } })
    expect(changeNames(STORED, { ens: '', did: '' })).to.deep.equal({ names: { ens: null, did: null } })
  })

  it('is empty if nothing has changed', () => {
    expect(changeNames(STORED, {})).to.deep.equal({})
    expect(changeNames(STORED, STORED)).to.deep.equal({})
    expect(changeNames({}, { ens: '' })).to.deep.equal({})
  })

  it('is undone by removing what was not there', () => {
    expect(restoreNames(undefined)).to.equal(null)
    expect(restoreNames({ did: STORED.did })).to.deep.equal({ ens: null, did: STORED.did })
    expect(restoreNames(STORED)).to.deep.equal(STORED)
  })
})
