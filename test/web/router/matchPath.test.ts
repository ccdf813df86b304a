import { expect } from 'chai'
import { matchPath } from '../../../web/src/router/matchPath.ts'

describe('matchPath', () => {
  it('returns the decoded parameters of a matching path', () => {
    expect(matchPath('/agents/:id', '/agents/SVC-a%20b')).to.deep.equal({ id: 'SVC-a b' })
    expect(matchPath('/agents', '/agents/')).to.deep.equal({})
    expect(matchPath('/', '/')).to.deep.equal({})
  })

  it('returns null for any other path', () => {
    for (const path of ['/', '/agents', '/agents/a/b', '/agents/', '/agents/%E0%A4%A', '/Agents/a']) {
      expect(matchPath('/agents/:id', path), path).to.equal(null)
    }
  })
})
