import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { hasPostgres } from '../test/harness/database/postgres.ts'
import type { ReportSection } from './report/benchReport.ts'
import { buildScalingSection } from './scaling/buildScalingSection.ts'
import { measureCell } from './scaling/measureCell.ts'
import { openScalingService, type ScalingService } from './scaling/openScalingService.ts'
import { CAPS, PROCESSES, type ScalingCell, type ScalingFigures } from './scaling/scalingFigures.ts'
import { startSlowPostgres } from './scaling/startSlowPostgres.ts'
import { startExpress } from './startExpress.ts'

const PACE = {
  quick: { rounds: 2, seconds: 1.5, delays: [5, 20, 100] },
  usual: { rounds: 3, seconds: 3, delays: [0, 5, 20, 100] },
}
/** Responses of a load before a rate is known. */
const FIRST_REQUESTS = 2_000
/** Loads that only compile code and fill caches come over few connections, so that none waits too long for a cold cache. */
const WARM_CONNECTIONS = 16

type Options = { isQuick: boolean }

/**
 * Measures what further processes over one PostgreSQL add when its disk is slow: one, two and four, each with connections of
 * its own, with and without caps. Every sync of the cluster is delayed, so that the time is spent waiting and not computing,
 * until the cores are full; processor time and the cores' load are measured with each figure.
 *
 * All cells take a turn in each round. Every response is checked, and every record is counted in the end.
 *
 * @throws Error if a response is wrong or a record is missing. Source: docs/scaling.md.
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
  const { server, request } = await startExpress(folder)
  const express = { servers: [server], requests: { uncapped: request, capped: request } }
  try {
    logProgress(`setting up ${PROCESSES.join(', ')} processes`)
    const opening = PROCESSES.map(async (processes) => {
      services.set(processes, await openScalingService(cluster.url, join(folder, 'data'), processes))
    })
    const failed = (await Promise.allSettled(opening)).find(({ status }) => status === 'rejected')
    if (failed?.status === 'rejected') throw failed.reason
    const cells = pace.delays.flatMap((delayMs) =>
      CAPS.flatMap((caps) => PROCESSES.map((processes): ScalingCell => ({ delayMs, caps, processes }))),
    )
    const figures: ScalingFigures = { cells: [], express: [] }
    for (const service of services.values()) {
      for (const caps of CAPS) await measureCell(service, caps, FIRST_REQUESTS, WARM_CONNECTIONS)
    }
    const amounts = new Map<ScalingCell, number>()
    for (let round = 1; round <= pace.rounds; round += 1) {
      figures.express.push(await measureCell(express, 'uncapped', Math.round(5_000 * pace.seconds)))
      for (const cell of round % 2 === 1 ? cells : cells.toReversed()) {
        const service = services.get(cell.processes)
        if (service === undefined) continue
        cluster.delaySyncs(cell.delayMs)
        const measured = await measureCell(service, cell.caps, amounts.get(cell) ?? FIRST_REQUESTS)
        amounts.set(cell, Math.max(FIRST_REQUESTS, Math.round(measured.perSecond * pace.seconds)))
        figures.cells.push({ ...cell, ...measured })
        logProgress(
          `round ${round}, +${cell.delayMs} ms, ${cell.caps}, ${cell.processes}: ${Math.round(measured.perSecond)}/s`,
        )
      }
    }
    return buildScalingSection(figures)
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
