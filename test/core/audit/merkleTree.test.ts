import { createHash } from 'node:crypto'
import { hashLeaf, hashNode, rootOfPeaks } from '@svc/core/audit/merkleHash.ts'
import { appendLeaves, locatePeaks } from '@svc/core/audit/merkleTree.ts'
import { expect } from 'chai'
import fc from 'fast-check'
import { buildNaiveTree } from './buildNaiveTree.ts'
import { buildStoredTree, leafAt } from './buildStoredTree.ts'

const leavesOf = (length: number) => Array.from({ length }, (_, i) => leafAt(i))
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

describe('the tree of the audit log', () => {
  describe('the hash', () => {
    it('of a leaf is SHA-256 of 0x00 and the entry, given as text or as bytes', () => {
      const expected = createHash('sha256').update('\0').update('{"é":1}').digest('hex')
      expect(hex(hashLeaf('{"é":1}'))).to.equal(expected)
      expect(hex(hashLeaf(new TextEncoder().encode('{"é":1}')))).to.equal(expected)
    })

    it('of the empty leaf is the published one', () => {
      expect(hex(hashLeaf(''))).to.equal('6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d')
    })

    it('of a node is SHA-256 of 0x01 and its two children', () => {
      const [a, b] = [hashLeaf('a'), hashLeaf('b')]
      expect(hex(hashNode(a, b))).to.equal(
        createHash('sha256').update('\x01').update(a).update(b).digest('hex'),
      )
    })

    it('of a node is only defined for two hashes', () => {
      expect(() => hashNode(hashLeaf('a'), new Uint8Array(31))).to.throw('32 bytes, not 32 and 31')
      expect(() => hashNode(new Uint8Array(33), hashLeaf('a'))).to.throw('32 bytes, not 33 and 32')
    })
  })

  describe('the root', () => {
    it('of the empty log is the hash of nothing', () => {
      expect(hex(rootOfPeaks([]))).to.equal(
        'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
      )
    })

    it('equals the naive twin’s at every size up to 600', () => {
      const leaves = leavesOf(600)
      const naive = buildNaiveTree(leafAt)
      let peaks: Uint8Array[] = []
      for (let size = 0; size < leaves.length; size++) {
        expect(hex(rootOfPeaks(peaks))).to.equal(hex(naive.root(size)))
        peaks = appendLeaves(peaks, size, leaves.slice(size, size + 1)).peaks
      }
    })
  })

  describe('appendLeaves', () => {
    it('returns the same peaks and nodes however the leaves are split into batches', () => {
      const leaves = leavesOf(700)
      const whole = appendLeaves([], 0, leaves)
      fc.assert(
        fc.property(fc.array(fc.integer({ min: 0, max: 90 }), { minLength: 1, maxLength: 12 }), (cuts) => {
          let log = appendLeaves([], 0, [])
          const nodes = []
          for (const cut of [...cuts, leaves.length]) {
            log = appendLeaves(log.peaks, log.size, leaves.slice(log.size, log.size + cut))
            nodes.push(...log.nodes)
          }
          expect(log.size).to.equal(whole.size)
          expect(log.peaks).to.deep.equal(whole.peaks)
          expect(nodes).to.deep.equal(whole.nodes)
        }),
        { numRuns: 30 },
      )
    })

    it('returns each complete subtree exactly once, with the hash of the naive twin', () => {
      const naive = buildNaiveTree(leafAt)
      const { nodes } = appendLeaves([], 0, leavesOf(300))
      const places = new Set(nodes.map(({ level, index }) => `${level}/${index}`))
      const complete = [0, 1, 2, 3, 4, 5, 6, 7, 8].reduce(
        (sum, level) => sum + Math.floor(300 / 2 ** level),
        0,
      )
      expect(places.size).to.equal(nodes.length)
      expect(nodes.length).to.equal(complete)
      for (const { level, index, hash } of nodes) expect(hex(hash)).to.equal(hex(naive.subtree(level, index)))
    })

    it('does not modify the given peaks', () => {
      const { peaks } = appendLeaves([], 0, leavesOf(3))
      const before = [...peaks]
      appendLeaves(peaks, 3, leavesOf(1))
      expect(peaks).to.deep.equal(before)
    })

    it('rejects peaks that do not match the size, unsafe sizes and leaves that are not hashes', () => {
      const { peaks } = appendLeaves([], 0, leavesOf(3))
      expect(() => appendLeaves(peaks, 4, [])).to.throw('a log of 4 leaves has 1 peaks, not 2')
      expect(() => appendLeaves(peaks, -1, [])).to.throw('not the size of a log')
      expect(() => appendLeaves([], 2 ** 53, [])).to.throw('not the size of a log')
      expect(() => appendLeaves(peaks, 3, [leafAt(3), new Uint8Array(20)])).to.throw('leaf 4 is not a hash')
      const fullSize = Number.MAX_SAFE_INTEGER
      expect(() => appendLeaves(leavesOf(53), fullSize, leavesOf(1))).to.throw('not the size of a log')
    })

    it('continues past 2^32 leaves without losing a bit', () => {
      const size = 2 ** 40 + 2 ** 33 + 1
      const { peaks, nodes } = appendLeaves(leavesOf(3), size, leavesOf(1))
      expect(peaks.length).to.equal(3)
      expect(nodes.map(({ level, index }) => [level, index])).to.deep.equal([
        [0, size],
        [1, (size - 1) / 2],
      ])
    })
  })

  describe('locatePeaks', () => {
    it('locates the stored nodes whose hashes are the peaks', () => {
      const leaves = leavesOf(200)
      const { read } = buildStoredTree(leaves.length)
      for (let size = 0; size <= leaves.length; size++) {
        const { peaks } = appendLeaves([], 0, leaves.slice(0, size))
        expect(read(locatePeaks(size)).map(({ hash }) => hash)).to.deep.equal(peaks)
      }
    })

    it('rejects what is not a size', () => {
      for (const bad of [-1, 0.5, 2 ** 53]) expect(() => locatePeaks(bad)).to.throw('not the size of a log')
    })

    it('has one peak for each bit of the size, for a log of 2^53 − 1 leaves', () => {
      const addresses = locatePeaks(Number.MAX_SAFE_INTEGER)
      expect(addresses.length).to.equal(53)
      expect(addresses[0]).to.deep.equal({ level: 52, index: 0 })
      expect(addresses[52]).to.deep.equal({ level: 0, index: Number.MAX_SAFE_INTEGER - 1 })
    })
  })
})
