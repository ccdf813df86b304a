import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { runClosedLoop } from './load/runClosedLoop.ts'
import { readSelfTimes, type SelfTime } from './profile/readSelfTimes.ts'
import type { ReportRow, ReportSection } from './report/benchReport.ts'
import { startBenchService } from './startBenchService.ts'

const CONNECTIONS = 64
const WARM_UP = 20_000
const REQUESTS = { quick: 10_000, usual: 60_000 }
const TOP = 10

/**
 * Measures where verify-access spends its time, with V8's sampling profiler on the thread that serves 64 connections.
 *
 * Sampling slows everything down slightly and equally. Shares are relative to the thread's busy time.
 */
export async function measureProfile({ isQuick }: { isQuick: boolean }): Promise<ReportSection> {
  mkdirSync('bench/results', { recursive: true })
  const folder = mkdtempSync('bench/results/run-')
  const profiles = resolve(folder, 'profiles')
  try {
    const service = await startBenchService(folder, {
      nodeArgs: ['--cpu-prof', `--cpu-prof-dir=${profiles}`, '--cpu-prof-interval=200'],
    })
    const job = { url: service.server.url, request: service.verified, connections: CONNECTIONS }
    let window = { from: 0, to: 0 }
    try {
      await runClosedLoop({ ...job, amount: WARM_UP })
      const from = readMonotonicMicros()
      const { wrong } = await runClosedLoop({ ...job, amount: isQuick ? REQUESTS.quick : REQUESTS.usual })
      if (wrong.length > 0) throw new Error(wrong.join('; '))
      window = { from, to: readMonotonicMicros() }
    } finally {
      await service.server.stop()
    }
    const times = readSelfTimes(profiles, '/server/main.js', window)
    return {
      title: 'where verify-access spends its time',
      rows: [...buildFunctionRows(times), ...buildAreaRows(times)],
      notes: [
        'The thread that serves requests, without idle time: the ten functions with the most self time, then all functions by location.',
        'Native code is attributed to the function that calls it; “program” is what V8 cannot attribute, mainly system calls.',
      ],
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function buildFunctionRows(times: readonly SelfTime[]): ReportRow[] {
  return times.slice(0, TOP).map(({ name, place, micros }) => ({
    name: place === '' ? name : `${name}, ${place}`,
    value: (100 * micros) / sumOf(times),
    unit: '% of busy time',
  }))
}

function buildAreaRows(times: readonly SelfTime[]): ReportRow[] {
  const areas = Map.groupBy(times, areaOf)
  return [...areas]
    .map(([area, within]) => ({
      name: `total of ${area}`,
      value: (100 * sumOf(within)) / sumOf(times),
      unit: '% of busy time',
    }))
    .filter(({ value }) => value >= 1)
    .sort((a, b) => b.value - a.value)
}

function areaOf({ name, place }: SelfTime): string {
  if (place === '') return name.startsWith('(') ? name.slice(1, -1) : 'V8'
  if (place.startsWith('node:')) return 'Node'
  const layer = /^(core|server\/[a-z]+)\//.exec(place)?.[1]
  return layer ?? place
}

function sumOf(times: readonly SelfTime[]): number {
  return times.reduce((sum, { micros }) => sum + micros, 0)
}

/** The clock of V8's profiles. */
function readMonotonicMicros(): number {
  return Number(process.hrtime.bigint() / 1_000n)
}
