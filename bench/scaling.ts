import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { hasPostgres } from '../test/harness/database/postgres.ts'
import type { ReportSection } from './report/benchReport.ts'
import { buildScalingSection } from './scaling/buildScalingSection.ts'
import { measureCell } from './scaling/measureCell.ts'
import { measureSequencer } from './scaling/measureSequencer.ts'
import { openScalingService, type ScalingService } from './scaling/openScalingService.ts'
import { CAPS, PROCESSES, type ScalingCell, type ScalingFigures } from './scaling/scalingFigures.ts'
import { startSlowPostgres } from './scaling/startSlowPostgres.ts'
import { startPeer } from './startPeer.ts'

const PACE = {
  quick: { rounds: 1, seconds: 1.5, delays: [20, 100] },
  usual: { rounds: 3, seconds: 3, delays: [0, 5, 20, 100] },
}
/** Number of responses of a load while no rate is known. */
const FIRST_REQUESTS = 2_000
/** Loads that only compile code and fill caches use few connections, so that none waits too long for a cold cache. */
const WARM_CONNECTIONS = 16

type Options = { isQuick: boolean }

/**
 * Measures what further processes over one PostgreSQL add when its disk is slow: one, two and four, each with connections of
 * its own, with and without caps. Every sync of the cluster is delayed, so that the time is spent waiting and not computing,
 * until the cores are full; processor time and the cores' load are measured with each figure.
 *
 * All cells take a turn in each round. Every response is checked, and every record is counted after each load; a load with a
 * wrong response is reported and not counted.
 *
 * @throws Error if a record is missing. Source: docs/scaling.md.
 */
export async function measureScaling({ isQuick }: Options): Promise<ReportSection> {
  if (!hasPostgres) {
    const notes = ['PostgreSQL is not installed here: nothing was measured.']
    return { title: 'several processes, slow syncs', rows: [], notes }
  }
  const pace = isQuick ? PACE.quick : PACE.usual
  mkdirSync('bench/results', { recursive: true })
  const folder = mkdtempSync('bench/results/run-')
  const cluster = await startSlowPostgres()
  const services = new Map<number, ScalingService>()
  const { server, request } = await startPeer('bareExpress', folder)
  const limit = { servers: [server], requests: { uncapped: request, capped: request } }
  try {
    // One after the other, because each start has to end within a minute, and two cores cannot start seven at once.
    for (const processes of PROCESSES) {
      logProgress(`setting up ${processes} ${processes === 1 ? 'process' : 'processes'}`)
      services.set(processes, await openScalingService(cluster.url, join(folder, 'data'), processes))
    }
    const cells = pace.delays.flatMap((delayMs) =>
      CAPS.flatMap((caps) => PROCESSES.map((processes): ScalingCell => ({ delayMs, caps, processes }))),
    )
    const figures: ScalingFigures = { cells: [], express: [], wrong: [] }
    for (const service of services.values()) {
      for (const caps of CAPS) await measureCell(service, caps, FIRST_REQUESTS, WARM_CONNECTIONS)
    }
    const amounts = new Map<ScalingCell, number>()
    for (let round = 1; round <= pace.rounds; round += 1) {
      const { wrong: _, ...express } = await measureCell(limit, 'uncapped', Math.round(5_000 * pace.seconds))
      figures.express.push(express)
      for (const cell of round % 2 === 1 ? cells : cells.toReversed()) {
        const service = services.get(cell.processes)
        if (service === undefined) continue
        cluster.delaySyncs(cell.delayMs)
        const name = `round ${round}, +${cell.delayMs} ms, ${cell.caps}, ${cell.processes}`
        const amount = amounts.get(cell) ?? FIRST_REQUESTS
        const { wrong, ...measured } = await measureCell(service, cell.caps, amount)
        amounts.set(cell, Math.max(FIRST_REQUESTS, Math.round(measured.perSecond * pace.seconds)))
        if (wrong.length > 0) figures.wrong.push(`${name}: ${wrong.join('; ')}`)
        else figures.cells.push({ ...cell, ...measured })
        logProgress(`${name}: ${Math.round(measured.perSecond)}/s${wrong.length > 0 ? ', wrong' : ''}`)
      }
    }
    cluster.delaySyncs(0)
    for (const service of services.values()) await service.stop()
    const [idle] = services.values()
    services.clear()
    const sequencer = idle === undefined ? [] : await measureSequencer(idle.databaseUrl)
    return buildScalingSection(figures, sequencer)
  } finally {
    cluster.delaySyncs(0)
    await server.stop()
    for (const service of services.values()) await service.stop()
    cluster.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

function logProgress(what: string): void {
  process.stderr.write(`bench: scaling: ${what}\n`)
}
