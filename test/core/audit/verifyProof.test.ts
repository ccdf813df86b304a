import { assembleProof, planConsistencyProof, planInclusionProof } from '@svc/core/audit/proofPlan.ts'
import { verifyConsistency, verifyInclusion } from '@svc/core/audit/verifyProof.ts'
import { expect } from 'chai'
import fc from 'fast-check'
import { buildNaiveTree, buildNaiveTreeAround } from './buildNaiveTree.ts'
import { buildStoredTree, leafAt } from './buildStoredTree.ts'

const hexes = (hashes: readonly Uint8Array[]) => hashes.map((hash) => Buffer.from(hash).toString('hex'))

/** Sizes, and the maximum number of nodes in a consistency proof: one less than twice the height of the tree. */
const LARGE_TREES = [
  ['2^20', 2 ** 20, 39],
  ['2^53', Number.MAX_SAFE_INTEGER, 105],
] as const

/** Checks one inclusion and one consistency proof against the twin and with the verifiers. */
function checkPair(naive: Naive, read: Read, from: number, size: number): void {
  if (from < size) {
    const plan = planInclusionProof(from, size)
    const proof = assembleProof(plan, read(plan.flat()))
    expect(hexes(proof)).to.deep.equal(hexes(naive.inclusion(from, size)))
    const leafHash = naive.subtree(0, from)
    expect(
      verifyInclusion({ leafHash, index: from, treeSize: size, proof, root: naive.root(size) }),
    ).to.equal(true)
  }
  const plan = planConsistencyProof(from, size)
  const proof = assembleProof(plan, read(plan.flat()))
  if (from > 0) expect(hexes(proof)).to.deep.equal(hexes(naive.consistency(from, size)))
  expect(
    verifyConsistency({
      fromSize: from,
      toSize: size,
      fromRoot: naive.root(from),
      toRoot: naive.root(size),
      proof,
    }),
  ).to.equal(true)
}

type Naive = ReturnType<typeof buildNaiveTree>
type Read = ReturnType<typeof buildStoredTree>['read']

/** Every small change of a list of hashes that results in another list. */
function mutationsOf(proof: readonly Uint8Array[]): Uint8Array[][] {
  const flipped = proof.map((_, at) => proof.map((hash, i) => (i === at ? flip(hash) : hash)))
  const dropped = proof.map((_, at) => proof.filter((_, i) => i !== at))
  const doubled = proof.map((_, at) => proof.flatMap((hash, i) => (i === at ? [hash, hash] : [hash])))
  const swapped = proof
    .slice(1)
    .map((hash, at) => [...proof.slice(0, at), hash, ...proof.slice(at, at + 1), ...proof.slice(at + 2)])
  const shortened = proof.map((_, at) => proof.map((hash, i) => (i === at ? hash.slice(1) : hash)))
  return [...flipped, ...dropped, ...doubled, ...swapped, ...shortened, [...proof, new Uint8Array(32)]]
}

function flip(hash: Uint8Array): Uint8Array {
  return hash.map((byte, i) => (i === 17 ? byte ^ 4 : byte))
}

describe('proofs of the audit log', () => {
  const naive = buildNaiveTree(leafAt)
  const { read } = buildStoredTree(3_000)

  it('equal the naive twin and verify, for all pairs up to 64', () => {
    for (let size = 0; size <= 64; size++) {
      for (let from = 0; from <= size; from++) checkPair(naive, read, from, size)
    }
  })

  it('equal the naive twin and verify, for random pairs up to 3,000', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3_000 }), fc.nat(), (size, seed) => {
        checkPair(naive, read, seed % (size + 1), size)
      }),
      { numRuns: 300 },
    )
  })

  for (const [name, largest, nodesMax] of LARGE_TREES) {
    it(`equal the naive twin and verify, for random sizes up to ${name}, with at most ${nodesMax} nodes`, () => {
      fc.assert(
        fc.property(fc.integer({ min: 1, max: largest }), fc.nat({ max: largest }), (size, seed) => {
          const from = seed % (size + 1)
          const naive = buildNaiveTreeAround([from, from + 1, size])
          const read: Read = (addresses) =>
            addresses.map(({ level, index }) => ({ level, index, hash: naive.subtree(level, index) }))
          checkPair(naive, read, from, size)
          expect(planConsistencyProof(from, size).flat().length).to.be.at.most(nodesMax)
        }),
        { numRuns: 300 },
      )
    })
  }

  describe('are rejected when mutated', () => {
    it('as inclusion proofs: hashes, leaf, root, index', () => {
      fc.assert(
        fc.property(fc.integer({ min: 2, max: 3_000 }), fc.nat(), (treeSize, seed) => {
          const index = seed % treeSize
          const plan = planInclusionProof(index, treeSize)
          const proof = assembleProof(plan, read(plan.flat()))
          const leafHash = leafAt(index)
          const claim = { leafHash, index, treeSize, proof, root: naive.root(treeSize) }
          expect(verifyInclusion(claim)).to.equal(true)
          for (const other of mutationsOf(proof))
            expect(verifyInclusion({ ...claim, proof: other })).to.equal(false)
          expect(verifyInclusion({ ...claim, leafHash: flip(leafHash) })).to.equal(false)
          expect(verifyInclusion({ ...claim, root: flip(claim.root) })).to.equal(false)
          for (const other of [
            index - 1,
            index + 1,
            treeSize - 1 - index,
            index ^ 1,
            treeSize,
            -1,
            0.5,
            Number.NaN,
          ]) {
            if (other !== index) expect(verifyInclusion({ ...claim, index: other })).to.equal(false)
          }
        }),
        { numRuns: 200 },
      )
    })

    it('as consistency proofs: hashes, roots, swapped sizes', () => {
      fc.assert(
        fc.property(fc.integer({ min: 2, max: 3_000 }), fc.nat(), (toSize, seed) => {
          const fromSize = 1 + (seed % (toSize - 1))
          const plan = planConsistencyProof(fromSize, toSize)
          const proof = assembleProof(plan, read(plan.flat()))
          const claim = {
            fromSize,
            toSize,
            fromRoot: naive.root(fromSize),
            toRoot: naive.root(toSize),
            proof,
          }
          expect(verifyConsistency(claim)).to.equal(true)
          for (const other of mutationsOf(proof)) {
            expect(verifyConsistency({ ...claim, proof: other })).to.equal(false)
          }
          expect(verifyConsistency({ ...claim, fromRoot: flip(claim.fromRoot) })).to.equal(false)
          expect(verifyConsistency({ ...claim, toRoot: flip(claim.toRoot) })).to.equal(false)
          expect(verifyConsistency({ ...claim, fromRoot: claim.toRoot, toRoot: claim.fromRoot })).to.equal(
            false,
          )
          expect(verifyConsistency({ ...claim, fromSize: toSize, toSize: fromSize })).to.equal(false)
        }),
        { numRuns: 200 },
      )
    })

    it('as histories: no proof leads from a log with another entry to this one', () => {
      const forkedAt = (index: number) => (index === 5 ? flip(leafAt(index)) : leafAt(index))
      const fork = buildNaiveTree(forkedAt)
      const store = buildStoredTree(40, forkedAt)
      for (let toSize = 8; toSize <= 40; toSize++) {
        for (let fromSize = 6; fromSize < toSize; fromSize++) {
          const plan = planConsistencyProof(fromSize, toSize)
          for (const reader of [read, store.read]) {
            const proof = assembleProof(plan, reader(plan.flat()))
            const [fromRoot, toRoot] = [fork.root(fromSize), naive.root(toSize)]
            expect(verifyConsistency({ fromSize, toSize, fromRoot, toRoot, proof })).to.equal(false)
          }
        }
      }
    })
  })

  describe('at the edges', () => {
    const root = naive.root(7)

    it('have the only leaf of a log as its root and are empty', () => {
      const leafHash = leafAt(0)
      expect(planInclusionProof(0, 1)).to.deep.equal([])
      expect(verifyInclusion({ leafHash, index: 0, treeSize: 1, proof: [], root: leafHash })).to.equal(true)
    })

    it('include nothing in the empty log', () => {
      expect(verifyInclusion({ leafHash: root, index: 0, treeSize: 0, proof: [], root })).to.equal(false)
      expect(() => planInclusionProof(0, 0)).to.throw('a log of 0 leaves has no leaf 0')
    })

    it('of equal sizes need equal roots and must be empty', () => {
      const claim = { fromSize: 7, toSize: 7, fromRoot: root, toRoot: root, proof: [] }
      expect(verifyConsistency(claim)).to.equal(true)
      expect(verifyConsistency({ ...claim, toRoot: flip(root) })).to.equal(false)
      expect(verifyConsistency({ ...claim, proof: [root] })).to.equal(false)
    })

    it('from the empty log to any log need its own root and must be empty', () => {
      const claim = { fromSize: 0, toSize: 7, fromRoot: naive.root(0), toRoot: root, proof: [] }
      expect(verifyConsistency(claim)).to.equal(true)
      expect(verifyConsistency({ ...claim, fromRoot: new Uint8Array(32) })).to.equal(false)
      expect(verifyConsistency({ ...claim, proof: [root] })).to.equal(false)
    })

    it('never lead from a larger log to a smaller one or accept unsafe numbers', () => {
      expect(() => planConsistencyProof(8, 7)).to.throw('cannot extend')
      const claim = {
        fromSize: 3,
        toSize: 7,
        fromRoot: naive.root(3),
        toRoot: root,
        proof: naive.consistency(3, 7),
      }
      expect(verifyConsistency(claim)).to.equal(true)
      for (const fromSize of [-1, 2 ** 53, 3.5, Number.NaN]) {
        expect(verifyConsistency({ ...claim, fromSize })).to.equal(false)
      }
      for (const toSize of [2, 2 ** 53, 7.5, Number.NaN]) {
        expect(verifyConsistency({ ...claim, toSize })).to.equal(false)
      }
    })

    it('of one growth are invalid for a growth of more or fewer steps', () => {
      const claim = {
        fromSize: 3,
        toSize: 7,
        fromRoot: naive.root(3),
        toRoot: root,
        proof: naive.consistency(3, 7),
      }
      for (const toSize of [4, 15, 16, 2 ** 40]) {
        expect(verifyConsistency({ ...claim, toSize })).to.equal(false)
      }
    })

    it('are not planned for an invalid log size', () => {
      for (const bad of [-1, 0.5, 2 ** 53, Number.NaN]) {
        expect(() => planInclusionProof(bad, 7)).to.throw('is not the size of a log')
        expect(() => planInclusionProof(0, bad)).to.throw('is not the size of a log')
        expect(() => planConsistencyProof(bad, 7)).to.throw('is not the size of a log')
        expect(() => planConsistencyProof(0, bad)).to.throw('is not the size of a log')
      }
    })

    it('are not assembled from a plan with a node that was not read', () => {
      expect(() => assembleProof(planInclusionProof(0, 2), [])).to.throw('node 1 of level 0 was not read')
    })

    it('have small plans even at the largest size', () => {
      const size = Number.MAX_SAFE_INTEGER
      expect(planInclusionProof(0, size).flat().length).to.be.at.most(106)
      expect(planConsistencyProof(size - 1, size).flat().length).to.be.at.most(106)
    })
  })
})
