import { hashLeaf, rootOfPeaks } from '@svc/core/audit/merkleHash.ts'
import { appendLeaves, locatePeaks } from '@svc/core/audit/merkleTree.ts'
import { assembleProof, type ProofPlan, planConsistencyProof } from '@svc/core/audit/proofPlan.ts'
import { concat, type Hex, toHex } from 'viem'
import { auditLog } from '../../server/chain/artifacts/auditLog.ts'
import type { GasRow } from './gasRow.ts'
import type { Deployed, GasMeter } from './openGasMeter.ts'

const logSize = 65_536
const batchSizes = [1, 16, 256, 1_024, 16_384]

/** Sizes around that of the log, most of them irregular, where proofs are longest. */
const nearbySizes = [
  logSize - 1,
  logSize,
  ...Array.from({ length: 14 }, (_, i) => logSize - 8_001 + i * 1_234),
]

/** One item of EAS's multiTimestamp, the cheapest way to put a record's hash on chain without a tree. */
const multiTimestampGas = 24_998

/**
 * Measures the gas of anchoring a batch, for each batch size the maximum over several log sizes around 65,536 entries, and
 * the additional gas when the log doubles.
 */
export async function measureAuditGas(meter: GasMeter): Promise<GasRow[]> {
  const contract = await meter.deploy(auditLog)
  const tree = treeOf(2 ** 18)
  let logs = 0
  const anchorGas = async (prevSize: number, newSize: number) =>
    measureSecondAnchor(meter, contract, tree, ++logs, prevSize, newSize)

  const rows: GasRow[] = []
  for (const batchSize of batchSizes) {
    const gas: number[] = []
    for (const size of nearbySizes) gas.push(await anchorGas(size, size + batchSize))
    rows.push(...buildBatchRows(batchSize, Math.max(...gas)))
  }
  const means = await measureMeansPerDoubling(anchorGas)
  const increases = means.slice(1).map((mean, i) => mean - (means[i] ?? 0))
  increases.forEach((ours, i) => {
    const size = (2 ** (11 + i)).toLocaleString('en')
    rows.push({
      name: `anchor, additional gas above ${size} entries compared with half the size`,
      ours,
      unit: 'gas',
    })
  })
  rows.push({
    name: 'anchor, additional gas per doubling of the log, maximum',
    ours: Math.max(...increases),
    unit: 'gas',
  })
  return rows
}

function buildBatchRows(batchSize: number, gas: number): GasRow[] {
  const what = `anchor ${batchSize.toLocaleString('en')} in a log of ${logSize.toLocaleString('en')}`
  const perRecord = gas / batchSize
  return [
    { name: what, ours: gas, unit: 'gas' },
    {
      name: `${what}; reference: EAS multiTimestamp`,
      ours: perRecord,
      reference: multiTimestampGas,
      ratio: perRecord / multiTimestampGas,
      unit: 'gas per record',
    },
  ]
}

/** Computes the mean over sizes spread through each power of two from 2^10 to 2^17. */
async function measureMeansPerDoubling(anchorGas: (prevSize: number, newSize: number) => Promise<number>) {
  const means: number[] = []
  for (let size = 2 ** 10; size <= 2 ** 17; size *= 2) {
    let sum = 0
    for (let i = 0; i < 16; i++) {
      const prevSize = size + Math.floor(((i + 0.5) * size * 0.9) / 16)
      sum += await anchorGas(prevSize, prevSize + Math.ceil(size / 64) + 1)
    }
    means.push(Math.round(sum / 16))
  }
  return means
}

type Tree = ReturnType<typeof treeOf>

/** Builds every complete subtree of a log with this many placeholder leaves. */
function treeOf(size: number) {
  const leaves = Array.from({ length: size }, (_, index) => hashLeaf(`record ${index}`))
  const levels: Uint8Array[][] = []
  for (const { level, index, hash } of appendLeaves([], 0, leaves).nodes) {
    const row = levels[level] ?? []
    row[index] = hash
    levels[level] = row
  }
  const nodesOf = (plan: ProofPlan) =>
    plan
      .flat()
      .map(({ level, index }) => ({ level, index, hash: levels[level]?.[index] ?? new Uint8Array(0) }))

  return {
    root: (treeSize: number): Hex => {
      const peaks = nodesOf([locatePeaks(treeSize)]).map(({ hash }) => hash)
      return toHex(rootOfPeaks(peaks))
    },
    proof: (prevSize: number, newSize: number): Hex[] => {
      const plan = planConsistencyProof(prevSize, newSize)
      return assembleProof(plan, nodesOf(plan)).map((hash) => toHex(hash))
    },
  }
}

/** Measures the gas of a log's second batch; the first initialises its slots and brings it to `prevSize`. */
async function measureSecondAnchor(
  meter: GasMeter,
  contract: Deployed,
  tree: Tree,
  log: number,
  prevSize: number,
  newSize: number,
): Promise<number> {
  // Not a counter after the address: zero bytes in the calldata would be cheaper.
  const logId = concat([meter.payer, toHex(hashLeaf(`log ${log}`).subarray(0, 12))])
  await meter.gasOf(contract, 'openLog', [logId])
  await meter.gasOf(contract, 'anchor', [logId, 1n, 0n, BigInt(prevSize), tree.root(prevSize), []])
  const growth = [
    logId,
    2n,
    BigInt(prevSize),
    BigInt(newSize),
    tree.root(newSize),
    tree.proof(prevSize, newSize),
  ]
  return meter.gasOf(contract, 'anchor', growth)
}
