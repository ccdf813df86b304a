import { setTimeout as pause } from 'node:timers/promises'
import type { ChainPart } from '../../../server/compose/chain/composeChain.ts'

/** Waits until the relayer has finished all its work. */
export async function awaitSettled(part: ChainPart): Promise<void> {
  for (let look = 0; look < 1_000; look += 1) {
    const status = await part.relayerStatus()
    if (status.backlog === 0) return
    await pause(20)
  }
  throw new Error(`the relayer does not finish: ${JSON.stringify(await part.relayerStatus())}`)
}
