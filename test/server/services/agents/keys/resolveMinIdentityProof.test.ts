import { expect } from 'chai'
import { resolveMinIdentityProof } from '../../../../../server/services/agents/keys/resolveMinIdentityProof.ts'

describe('resolveMinIdentityProof', () => {
  it('requires a signature by default once an agent has registered a key, and nothing before', () => {
    expect(resolveMinIdentityProof({ minIdentityProof: null }, [])).to.equal('none')
    expect(resolveMinIdentityProof({ minIdentityProof: null }, [{}])).to.equal('signature')
  })

  it('follows what the owner has set, whatever keys there are', () => {
    for (const keys of [[], [{}]]) {
      for (const minIdentityProof of ['none', 'challenge', 'token', 'signature'] as const) {
        expect(resolveMinIdentityProof({ minIdentityProof }, keys)).to.equal(minIdentityProof)
      }
    }
  })
})
