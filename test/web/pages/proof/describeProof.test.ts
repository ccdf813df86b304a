import { expect } from 'chai'
import type { CheckedRecord } from '../../../../web/src/pages/activity/checkRecord.ts'
import {
  type ChainWord,
  describeProof,
  describeRecord,
} from '../../../../web/src/pages/proof/describeProof.ts'
import { buildAuditEntryFields } from '../../../core/audit/buildAuditEntryFields.ts'

const HASH = `0x${'a'.repeat(64)}` as const
const ADDRESS = `0x${'b'.repeat(40)}` as const
const entry = buildAuditEntryFields({ type: 'verification.completed' })
const checked: CheckedRecord = {
  entry,
  publicRpcUrl: null,
  checks: [{ claim: 'all is well', holds: true }],
  proof: {
    ...{ entry: '', leafHash: HASH, index: 4, treeSize: 9, inclusionProof: [], root: HASH, batch: 2 },
    ...{ logId: HASH, chainId: 31337, contract: ADDRESS, transactionHash: HASH, blockNumber: 77 },
  },
}
const SERVICE: ChainWord = { from: 'service' }
const node = { from: 'node', host: 'rpc.example' } as const
const ANCHORED: ChainWord = {
  ...node,
  state: 'answered',
  reading: { isAnchored: true, time: new Date('2026-11-24T12:00:05Z'), blocksAfter: 3 },
}

describe('describeProof', () => {
  it('calls a record proven only if the browser has read its root from the chain', () => {
    const verdictOf = (chain: ChainWord) => describeProof(checked, chain).verdict
    expect(verdictOf(ANCHORED)).to.equal('proven')
    expect(verdictOf(SERVICE)).to.equal('reported')
    expect(verdictOf({ ...node, state: 'unreachable' })).to.equal('reported')
    expect(verdictOf({ ...node, state: 'asking' })).to.equal('asking')
  })

  it('says when it was written at the latest, and who answered for the chain', () => {
    const words = describeProof(checked, ANCHORED)
    expect(words.proven.join()).to.contain('block 77 of chain 31337 (2026-11-24 12:00:05 UTC)')
    expect(words.unproven.join()).to.contain('if the node at rpc.example lies')
  })

  it('says what only the service vouches for', () => {
    expect(describeProof(checked, SERVICE).unproven.join()).to.contain('this service says so')
    const silent = describeProof(checked, { ...node, state: 'unreachable' })
    expect(silent.unproven.join()).to.contain('the node at rpc.example has not confirmed it')
  })

  it('claims nothing if a check fails, whatever the chain says', () => {
    const altered = { ...checked, checks: [{ claim: 'all is well', holds: false }] }
    expect(describeProof(altered, ANCHORED)).to.deep.include({ verdict: 'failed', proven: [], unproven: [] })
  })

  it('claims nothing if the chain contradicts, and says how', () => {
    const chain: ChainWord = {
      ...node,
      state: 'answered',
      reading: { isAnchored: false, reason: 'the transaction failed' },
    }
    const words = describeProof(checked, chain)
    expect(words).to.deep.include({ verdict: 'contradicted', proven: [], unproven: [] })
    expect(words.about).to.contain('the transaction failed')
  })

  it('mentions the receipt only if there is one', () => {
    const receiptHash = HASH
    const withReceipt = describeProof({ ...checked, entry: { ...entry, receiptHash } }, SERVICE)
    expect(withReceipt.proven.join()).to.contain('signed receipt')
    const without = describeProof({ ...checked, entry: { ...entry, receiptHash: null } }, SERVICE)
    expect(without.proven.join()).not.to.contain('receipt')
  })
})

describe('describeRecord', () => {
  it('says what happened to whom, and when', () => {
    const sentence = describeRecord({
      ...entry,
      time: '2026-11-24T12:00:00.123Z',
      agentId: 'SVC-1',
      endpointId: 'SVCE-2',
    })
    expect(sentence).to.equal('2026-11-24 12:00:00 UTC: Access granted, agent SVC-1, endpoint SVCE-2.')
  })

  it('leaves out what the record does not name', () => {
    const sentence = describeRecord({ ...entry, type: 'kyd.approved', agentId: null, endpointId: null })
    expect(sentence).to.match(/UTC: Identity verified\.$/)
  })
})
