import { writeAuditEntry } from '@svc/core/audit/auditEntry.ts'
import { hashLeaf } from '@svc/core/audit/merkleHash.ts'
import {
  checkProofDocument,
  consistencyDocument,
  type ProofDocument,
  proofDocument,
} from '@svc/core/audit/proofDocument.ts'
import { assembleProof, planInclusionProof } from '@svc/core/audit/proofPlan.ts'
import { encodeHex } from '@svc/core/bytes.ts'
import { expect } from 'chai'
import { buildAuditEntryFields } from './buildAuditEntryFields.ts'
import { buildNaiveTree } from './buildNaiveTree.ts'
import { buildStoredTree } from './buildStoredTree.ts'

const TREE_SIZE = 21

/** The document of leaf `index` in a log of 21 entries with the given texts, by default of both versions in turn. */
function documentOf(index: number, textAt: (seq: number) => string | Uint8Array = written): ProofDocument {
  const entries = Array.from({ length: TREE_SIZE }, (_, seq) => Buffer.from(textAt(seq)))
  const leafAt = (at: number) => hashLeaf(entries[at] ?? '')
  const plan = planInclusionProof(index, TREE_SIZE)
  return {
    entry: entries[index]?.toString('base64') ?? '',
    leafHash: encodeHex(leafAt(index)),
    index,
    treeSize: TREE_SIZE,
    inclusionProof: assembleProof(plan, buildStoredTree(TREE_SIZE, leafAt).read(plan.flat())).map(encodeHex),
    root: encodeHex(buildNaiveTree(leafAt).root(TREE_SIZE)),
    batch: 1,
    logId: `0x${'01'.repeat(32)}`,
    chainId: 31337,
    contract: `0x${'aB'.repeat(20)}`,
    transactionHash: `0x${'02'.repeat(32)}`,
    blockNumber: 12,
  }
}

/** The entry of a place: of version 1, which names it, at odd places, and of version 2 at even ones. */
function written(index: number): string {
  const place = index % 2 === 1 ? { seq: index } : {}
  return writeAuditEntry(buildAuditEntryFields({ ...place, salt: saltOf(index), agentId: 'Ünïcödé 🤖' }))
}

const saltOf = (index: number) => index.toString(16).padStart(32, '0')

function reasonOf(document: ProofDocument): string {
  const checked = checkProofDocument(document)
  return checked.ok ? 'accepted' : checked.reason
}

describe('proofDocument', () => {
  it('accepts the members of the interface and ignores others', () => {
    const document = documentOf(3)
    expect(proofDocument.parse({ success: true, ...document })).to.deep.equal(document)
  })

  it('rejects hashes in another form, fractions and missing members', () => {
    const document = documentOf(3)
    for (const bad of [
      { ...document, root: document.root.slice(2) },
      { ...document, root: document.root.toUpperCase() },
      { ...document, inclusionProof: ['0x00'] },
      { ...document, index: 0.5 },
      { ...document, treeSize: -1 },
      { ...document, entry: '***' },
      { ...document, contract: undefined },
    ]) {
      expect(proofDocument.safeParse(bad).success).to.equal(false)
    }
  })
})

describe('checkProofDocument', () => {
  it('returns the entry of a sound document, at every index of a log with entries of both versions', () => {
    for (let index = 0; index < TREE_SIZE; index++) {
      const checked = checkProofDocument(documentOf(index))
      expect(checked.ok && checked.entry.salt).to.equal(saltOf(index))
      expect(checked.ok && checked.entry.seq).to.equal(index % 2 === 1 ? index : undefined)
    }
  })

  it('reports an entry that is not the hashed one', () => {
    const document = documentOf(3)
    expect(reasonOf({ ...document, entry: btoa('other') })).to.contain('the entry hashes to')
    expect(reasonOf({ ...document, leafHash: document.root })).to.contain('the entry hashes to')
  })

  it('reports a proof, index or root that does not fit the others', () => {
    const document = documentOf(3)
    for (const bad of [
      { ...document, index: 4 },
      { ...document, root: document.leafHash },
      { ...document, inclusionProof: document.inclusionProof.slice(1) },
      { ...document, inclusionProof: document.inclusionProof.toReversed() },
      { ...document, treeSize: 3 },
    ]) {
      const place = `leaf ${bad.index} of ${bad.treeSize}`
      expect(reasonOf(bad)).to.contain(`the inclusion proof does not lead from ${place} to the root`)
    }
  })

  it('reports an entry of version 1 that claims another index in the log', () => {
    expect(reasonOf(documentOf(3, (index) => written(index + 2)))).to.equal('entry 5 is proved at index 3')
  })

  it('reports an included leaf that is not an audit entry', () => {
    expect(reasonOf(documentOf(3, () => '{}'))).to.contain('not an audit entry')
    expect(reasonOf(documentOf(3, () => Uint8Array.of(0xff)))).to.equal('the entry is not UTF-8')
    expect(reasonOf(documentOf(3, (seq) => `\ufeff${written(seq)}`))).to.contain('not JSON')
  })
})

const hash = `0x${'ab'.repeat(32)}`
const DOCUMENT = {
  logId: hash,
  chainId: 31337,
  contract: `0x${'aB'.repeat(20)}`,
  fromSize: 1,
  fromRoot: hash,
  toSize: 2,
  toRoot: hash,
  consistencyProof: [hash],
}

describe('consistencyDocument', () => {
  it('accepts the members of the interface and ignores others', () => {
    expect(consistencyDocument.parse({ success: true, ...DOCUMENT })).to.deep.equal(DOCUMENT)
  })

  it('rejects hashes and addresses in another form, invalid sizes and an endless proof', () => {
    for (const bad of [
      { fromRoot: hash.slice(2) },
      { fromRoot: `${hash}00` },
      { toRoot: `1${hash}` },
      { toRoot: hash.toUpperCase() },
      { logId: '0x00' },
      { contract: '0x00' },
      { contract: `${DOCUMENT.contract}00` },
      { contract: `1${DOCUMENT.contract}` },
      { fromSize: 0 },
      { toSize: 1.5 },
      { chainId: -1 },
      { consistencyProof: Array(65).fill(hash) },
      { consistencyProof: undefined },
    ]) {
      expect(consistencyDocument.safeParse({ ...DOCUMENT, ...bad }).success, JSON.stringify(bad)).to.equal(
        false,
      )
    }
    expect(
      consistencyDocument.safeParse({ ...DOCUMENT, consistencyProof: Array(64).fill(hash) }).success,
    ).to.equal(true)
  })
})
