import type { AddressInfo } from 'node:net'
import { setTimeout as pauseFor } from 'node:timers/promises'
import type { Ambient } from './compose/ambient.ts'
import { closeServer } from './compose/closeServer.ts'
import { composeParts } from './compose/composeParts.ts'
import { listen } from './compose/listen.ts'
import { stopInTurn } from './compose/stopInTurn.ts'
import type { Config } from './config.ts'
import { readServiceSummary } from './terminal/readServiceSummary.ts'
import type { ServiceSummary } from './terminal/serviceSummary.ts'
import { waitWithGrace } from './workers/waitWithGrace.ts'

export type Service = {
  summary: ServiceSummary
  /** Drains, stops accepting requests, finishes the accepted ones, commits and closes the chain. */
  stop(): Promise<void>
}

/**
 * Creates the parts of the service, starts those that work in the background, and listens.
 *
 * @throws Error with a message for the operator if something required is missing or taken.
 */
export async function compose(config: Config, ambient: Ambient): Promise<Service> {
  const { log } = ambient
  let isStopping = false
  const parts = await composeParts(config, ambient, () => isStopping)
  const { server, database, chain, accounts, activity, caches, tracing, running, version, clock } = parts
  const stopParts = () =>
    stopInTurn(
      running.map(({ stop }) => stop),
      [chain.stop],
      [database.close],
      [() => waitWithGrace(tracing?.stop() ?? Promise.resolve())],
    )
  try {
    await database.listen(caches)
    if (config.operator) await accounts.ensureOperator({ ...config.operator, now: clock() })
    await chain.start()
    for (const part of running.toReversed()) part.start()
    await listen(server, config)
  } catch (error) {
    await stopParts().catch((err: unknown) => log.error({ err }, 'what had started did not stop in order'))
    throw error
  }
  const { port } = server.address() as AddressInfo
  return {
    summary: await readServiceSummary({
      config,
      version,
      url: config.http.port === 0 ? `http://localhost:${port}` : config.publicUrl,
      chain,
    }),
    async stop() {
      isStopping = true
      const { drainSeconds } = config.http
      await closeServer(server, {
        ...(drainSeconds > 0 ? { drain: () => pauseFor(drainSeconds * 1000) } : {}),
        endStreams: activity.close,
      })
      await stopParts()
    },
  }
}
