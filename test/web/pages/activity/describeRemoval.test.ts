import { expect } from 'chai'
import { describeRemoval } from '../../../../web/src/pages/activity/describeRemoval.ts'

describe('describeRemoval', () => {
  it('says why most of an event is missing, and nothing of a complete one', () => {
    expect(describeRemoval({ removed: true, recommendation: 'grant' })).to.contain('too old')
    expect(describeRemoval({ archived: true })).to.contain('archive')
    expect(describeRemoval({ erased: true, removed: true })).to.contain('erased')
    expect(describeRemoval({ recommendation: 'grant', removed: 'yes' })).to.equal(null)
  })
})
