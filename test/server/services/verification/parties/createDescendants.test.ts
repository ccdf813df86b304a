import { expect } from 'chai'
import { createDescendants } from '../../../../../server/services/verification/parties/createDescendants.ts'

describe('createDescendants', () => {
  const remember = (max: number) => {
    const forgotten: string[] = []
    return { forgotten, descendants: createDescendants({ max, forget: (id) => forgotten.push(id) }) }
  }

  it('forgets those below an ancestor that changed, once, and nobody else', () => {
    const { forgotten, descendants } = remember(10)
    descendants.add('root', 'child')
    descendants.add('root', 'child')
    descendants.add('parent', 'child')
    descendants.add('root', 'sibling')
    descendants.add('stranger', 'other')
    descendants.forgetBelow('root')
    expect(forgotten).to.deep.equal(['child', 'sibling'])
    descendants.forgetBelow('root')
    descendants.forgetBelow('child')
    expect(forgotten.length).to.equal(2)
    descendants.forgetBelow('parent')
    expect(forgotten.slice(2)).to.deep.equal(['child'])
  })

  it('forgets all before it exceeds its maximum, so that nobody is cached whom a change would not reach', () => {
    const { forgotten, descendants } = remember(2)
    descendants.add('a', 'one')
    descendants.add('b', 'two')
    descendants.add('a', 'one')
    expect(forgotten).to.deep.equal([])
    descendants.add('b', 'three')
    expect(forgotten.toSorted()).to.deep.equal(['one', 'two'])
    descendants.forgetBelow('b')
    expect(forgotten.at(-1)).to.equal('three')
  })

  it('remembers again what was forgotten', () => {
    const { forgotten, descendants } = remember(1)
    for (let round = 1; round <= 3; round += 1) {
      descendants.add('root', 'child')
      descendants.forgetBelow('root')
      expect(forgotten.length).to.equal(round)
    }
  })
})
