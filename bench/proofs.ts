import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkProofDocument, proofDocument } from '@svc/core/audit/proofDocument.ts'
import { readProof } from '../server/services/audit/readProof.ts'
import { createSqliteProofStore } from '../server/store/audit/proofStore.sqlite.ts'
import { openDatabase } from '../server/store/database/openDatabase.ts'
import { findFreePort } from '../test/harness/runner/findFreePort.ts'
import { percentile } from './load/percentile.ts'
import { startServer } from './load/startServer.ts'
import { buildLog, type LogFiles } from './proofs/buildLog.ts'
import { countIncluded } from './proofs/countIncluded.ts'
import { getProofs } from './proofs/getProofs.ts'
import { proofRecordId } from './proofs/proofRecord.ts'
import { readServerTimes } from './proofs/readServerTimes.ts'
import { type ProofService, startProofService } from './proofs/startProofService.ts'
import type { ReportRow } from './report/benchReport.ts'

type Options = { isQuick: boolean; isFull: boolean }

/** Proofs of one burst over HTTP; our service and the peer alternate, so that both run under the same conditions. */
const BURST = 250
const WITHIN_MS = { atMost: 1 }
const WARM_UP = 500

/**
 * Measures the cost of a proof in a log of a million records: in the service itself, and over HTTP next to bare Express.
 *
 * Every measured proof is also verified, outside the measured time: all of them by our own checker, and a sample of those
 * over HTTP by the contract. `isFull` measures every record of the log instead of a sample.
 *
 * @throws Error if a proof is invalid.
 * Source: docs/performance.md (proof ≤ 1 ms).
 */
export async function measureProofs({ isQuick, isFull }: Options): Promise<ReportRow[]> {
  const size = isQuick ? 100_000 : 1_000_000
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-proofs-'))
  const files = { databaseFile: join(folder, 'svc.sqlite'), feedFile: join(folder, 'feed.sqlite') }
  mkdirSync(join(folder, 'registration-files'))
  try {
    await (await openDatabase(files)).close()
    await buildLog(files, size, logProgress)
    logProgress('sealing and anchoring')
    const service = await startProofService(folder, size)
    try {
      const count = isFull ? size : isQuick ? 2_000 : 20_000
      return [
        ...(await measureInService(files, size, count)),
        ...(await measureOverHttp(service, size, isQuick)),
      ]
    } finally {
      await service.server.stop()
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Reads the proofs as the route does, but without HTTP. */
async function measureInService(files: LogFiles, size: number, count: number): Promise<ReportRow[]> {
  logProgress(`${count.toLocaleString('en')} proofs in the service`)
  const store = createSqliteProofStore(files)
  const deps = { ...store, catchUp: async () => size, batchSeconds: 5 }
  const latencies = new Float64Array(count)
  const again = new Float64Array(count)
  let cpuMicros = 0
  const ask = async (recordId: string): Promise<number> => {
    const cpu = process.cpuUsage()
    const begin = performance.now()
    const proof = await readProof(deps, { recordId })
    const elapsed = performance.now() - begin
    const { user, system } = process.cpuUsage(cpu)
    cpuMicros += user + system
    if (!checkProofDocument(proof).ok) throw new Error(`the proof of record ${proof.index} is invalid`)
    return elapsed
  }
  for (let i = 0; i < WARM_UP; i += 1) await ask(proofRecordId(indexAt(i, size)))
  cpuMicros = 0
  let asked = 0
  for (let i = 0; i < count; i += 1) {
    const recordId = proofRecordId(indexAt(WARM_UP + i, size))
    latencies[i] = again[i] = await ask(recordId)
    asked += 1
    for (let repeats = 0; repeats < 2 && (again[i] ?? 0) > 1; repeats += 1, asked += 1) {
      again[i] = Math.min(again[i] ?? 0, await ask(recordId))
    }
  }
  store.close()
  const name = `proof of a record in ${size.toLocaleString('en')}, service`
  const slowest = `slowest of ${count.toLocaleString('en')}`
  const within = (100 * latencies.filter((latency) => latency <= 1).length) / count
  return [
    {
      name: `${name}, CPU time, mean`,
      value: cpuMicros / asked / 1_000,
      unit: 'ms',
      target: WITHIN_MS,
    },
    { name: `${name}, p50`, value: percentile(latencies, 50), unit: 'ms', target: WITHIN_MS },
    { name: `${name}, p99`, value: percentile(latencies, 99), unit: 'ms', target: WITHIN_MS },
    { name: `${name}, ${slowest}`, value: percentile(latencies, 100), unit: 'ms' },
    { name: `${name}, within 1 ms`, value: within, unit: '%' },
    {
      name: `${name}, those over 1 ms repeated twice, ${slowest}`,
      value: percentile(again, 100),
      unit: 'ms',
    },
  ]
}

async function measureOverHttp(
  { server, rpcUrl }: ProofService,
  size: number,
  isQuick: boolean,
): Promise<ReportRow[]> {
  logProgress('proofs over HTTP, next to bare Express')
  const port = await findFreePort()
  const script = new URL('./peers/expressProof.ts', import.meta.url)
  const express = await startServer({ script, args: [String(port), tmpdir()], port })
  const bursts = isQuick ? 8 : 40
  const ours: number[] = []
  const theirs: number[] = []
  const bodies: string[] = []
  try {
    const before = await readServerTimes(server.url)
    for (let burst = 0; burst <= bursts; burst += 1) {
      const paths = Array.from({ length: BURST }, (_, i) => pathOf(indexAt(burst * BURST + i, size)))
      const found = await getProofs(server.url, paths)
      const limit = await getProofs(express.url, paths)
      // The first burst only warms both up.
      if (burst === 0) continue
      ours.push(...found.latencies)
      theirs.push(...limit.latencies)
      bodies.push(...found.bodies)
    }
    const after = await readServerTimes(server.url)
    const documents = bodies.map((body) => proofDocument.parse(JSON.parse(body)))
    if (!documents.every((document) => checkProofDocument(document).ok)) throw new Error('a proof is invalid')
    logProgress('asking the contract')
    const sample = documents.filter((_, i) => i % Math.ceil(documents.length / 500) === 0)
    const included = await countIncluded(rpcUrl, sample)
    const answers = after.answers - before.answers
    return [
      ...([50, 99, 100] as const).map((percent) => {
        const value = percentile(ours, percent)
        const name = percent === 100 ? `slowest of ${ours.length.toLocaleString('en')}` : `p${percent}`
        return {
          name: `the same over HTTP, ${name}`,
          value,
          unit: 'ms',
          ratio: value / percentile(theirs, percent),
        }
      }),
      {
        name: 'the same, by the server’s own clock, mean',
        value: (1_000 * (after.seconds - before.seconds)) / answers,
        unit: 'ms',
        target: WITHIN_MS,
      },
      {
        name: 'the same, by the server’s own clock, within 1 ms',
        value: (100 * (after.withinMillisecond - before.withinMillisecond)) / answers,
        unit: '%',
      },
      {
        name: 'the same, CPU time of the server, mean',
        value: (1_000 * (after.cpuSeconds - before.cpuSeconds)) / answers,
        unit: 'ms',
      },
      {
        name: `accepted by the contract’s verifyInclusion, of ${sample.length}`,
        value: included,
        unit: 'proofs',
        target: { atLeast: sample.length },
      },
    ]
  } finally {
    await express.stop()
  }
}

/** Visits every index of the log before repeating any, with successive indexes far apart. */
function indexAt(nth: number, size: number): number {
  return (nth * 618_033 + 7) % size
}

function pathOf(index: number): string {
  return `/api/audit/records/${proofRecordId(index)}/proof`
}

function logProgress(what: string): void {
  process.stderr.write(`proofs: ${what}\n`)
}
