import { expect } from 'chai'
import {
  compareChain,
  type FoundChain,
  type RememberedChain,
} from '../../../../server/services/chain/compareChain.ts'

const RELAYER = '0xAA00000000000000000000000000000000000000'

const found = (changes: Partial<FoundChain> = {}): FoundChain => ({
  chainId: 1,
  genesisHash: '0x01',
  hasRegistry: true,
  hasLog: true,
  hasReputationRegistry: true,
  hasValidationRegistry: true,
  head: { batch: 4, root: '0xAB', operator: RELAYER.toLowerCase() },
  ...changes,
})

const remembered = (changes: Partial<RememberedChain> = {}): RememberedChain => ({
  deployment: {
    chainId: 1,
    genesisHash: '0x01',
    identityRegistry: '0x02',
    auditLog: '0x03',
    reputationRegistry: '0x05',
    validationRegistry: '0x06',
    logId: '0x04',
    deployedBlock: 0,
    nextNonce: 3,
  },
  lastSealed: 5,
  lastConfirmed: 3,
  rootAtHead: '0xab',
  ...changes,
})

const verdictOf = (chain: FoundChain, memory: RememberedChain, isLocal: boolean) =>
  compareChain(chain, memory, { isLocal, relayers: [RELAYER] })

describe('compareChain', () => {
  it('recognises the chain, including a batch beyond the final ones', () => {
    expect(verdictOf(found(), remembered(), false)).to.deep.equal({ verdict: 'same' })
    expect(verdictOf(found(), remembered(), true)).to.deep.equal({ verdict: 'same' })
  })

  const lost: [string, FoundChain][] = [
    ['another genesis block', found({ genesisHash: '0xff' })],
    ['no registry', found({ hasRegistry: false })],
    ['no log contract', found({ hasLog: false, head: { batch: 0, root: '', operator: null } })],
    ['no reputation registry', found({ hasReputationRegistry: false })],
    ['no validation registry', found({ hasValidationRegistry: false })],
    ['no log', found({ head: { batch: 0, root: '0x', operator: null } })],
  ]
  for (const [name, chain] of lost) {
    it(`refills a development chain that has ${name}, and refuses any other`, () => {
      expect(verdictOf(chain, remembered(), true).verdict).to.equal('replay')
      const refusal = verdictOf(chain, remembered(), false)
      expect(refusal.verdict).to.equal('refuse')
      expect(refusal)
        .to.have.property('why')
        .that.matches(/^Chain 1 lost what was anchored there: .+\.$/)
    })
  }

  it('leaves reorganised batches to the relayer', () => {
    const shorter = found({ head: { batch: 2, root: '0xab', operator: RELAYER } })
    expect(verdictOf(shorter, remembered(), false)).to.deep.equal({ verdict: 'same' })
    expect(verdictOf(shorter, remembered(), true)).to.deep.equal({ verdict: 'same' })
  })

  const wrong: [string, FoundChain, RememberedChain, RegExp][] = [
    [
      'another chain',
      found({ chainId: 5 }),
      remembered(),
      /belongs to chain 1 and the node answers for chain 5/,
    ],
    [
      'a log ahead of the database',
      found(),
      remembered({ lastSealed: 3 }),
      /the database lost anchored records/,
    ],
    [
      'another root than the database',
      found(),
      remembered({ rootAtHead: '0xcd' }),
      /the database was changed/,
    ],
    [
      'a log of another operator',
      found({ head: { batch: 4, root: '0xab', operator: '0xbb' } }),
      remembered(),
      /is operated by 0xbb.+: set the key of the operator again or, to replace it, as RELAYER_PRIVATE_KEY_FORMER\.$/,
    ],
  ]
  for (const [name, chain, memory, sentence] of wrong) {
    it(`refuses ${name}, also in development`, () => {
      for (const isLocal of [true, false]) {
        const refusal = verdictOf(chain, memory, isLocal)
        expect(refusal.verdict).to.equal('refuse')
        expect(refusal).to.have.property('why').that.matches(sentence)
      }
    })
  }
})
