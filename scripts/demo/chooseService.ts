import type { DemoContext } from './demoContext.ts'
import { findMissingService } from './findMissingService.ts'
import { startOwnService } from './startOwnService.ts'

/** Addresses that the caller named; undefined where the default applies. */
export type NamedService = { url: string | undefined; rpc: string | undefined }

/** Where the demo runs. `own` stops the service that was started for it. */
export type ChosenService = {
  baseUrl: string
  rpcUrl: string
  own: { folder: string; stop(): Promise<void> } | null
}

const DEFAULT_URL = 'http://localhost:3000'
const DEFAULT_RPC = 'http://127.0.0.1:8545'

/**
 * Chooses the service of the demo: the named one; otherwise the one at the default address if it runs, or a new one.
 *
 * @returns Null, after a message, if a named service does not respond or the new one does not start.
 */
export async function chooseService(
  { url, rpc }: NamedService,
  narrator: DemoContext['narrator'],
): Promise<ChosenService | null> {
  const running = { baseUrl: url ?? DEFAULT_URL, rpcUrl: rpc ?? DEFAULT_RPC }
  const fault = await findMissingService(running)
  if (fault === null) {
    narrator.note(`Uses the service at ${running.baseUrl}.`)
    return { ...running, own: null }
  }
  if (url !== undefined || rpc !== undefined) {
    narrator.check(fault.message, false)
    narrator.note(fault.hint)
    return null
  }
  narrator.note('Starts a service for the demo: a new database and a local chain, on free ports …')
  try {
    const { baseUrl, rpcUrl, ...own } = await startOwnService()
    narrator.note(`It runs at ${baseUrl}.`)
    return { baseUrl, rpcUrl, own }
  } catch (error) {
    narrator.check(error instanceof Error ? error.message : String(error), false)
    return null
  }
}
