import { expect } from 'chai'
import { describeEntry } from '../../../../web/src/parts/words/describeEntry.ts'

describe('an entry of the log on a page', () => {
  it('has its number and those of the first and the last, which begin at 0', () => {
    expect(describeEntry({ index: 0, treeSize: 1 })).to.equal('0 (of 0 to 0)')
    expect(describeEntry({ index: 1233, treeSize: 1235 })).to.equal('1,233 (of 0 to 1,234)')
  })
})
