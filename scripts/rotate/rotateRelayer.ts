import type { RelayerHandOver } from '../../server/services/relayer/handOverRelayer.ts'

type RotateRelayerDeps = {
  /** Orders the steps that are missing, and returns what is left. */
  handOver: () => Promise<RelayerHandOver>
  print: (line: string) => void
  pause: () => Promise<void>
  clock: () => number
}

/** How long nothing may change before the operator is asked whether a service runs. */
const PATIENCE_MS = 60_000

/**
 * Hands over what the former account of the relayer has to the present one, and waits until all of it is final. A running
 * service does the work; this can be interrupted and repeated at any time.
 *
 * The tokens must be known up to a block that was final when nothing else was left, because the last transaction of the
 * former account may have been a mint.
 */
export async function rotateRelayer({ handOver, print, pause, clock }: RotateRelayerDeps): Promise<void> {
  let printed = ''
  let changedAt = clock()
  let knownFrom: number | null = null
  for (;;) {
    const left = await handOver()
    const { isLogPending, transactions, tokens, blocks } = left
    const isEmpty = !isLogPending && transactions === 0 && tokens === 0
    knownFrom = isEmpty ? (knownFrom ?? blocks.final) : null
    if (knownFrom !== null && blocks.known >= knownFrom) {
      print(`The account ${left.to} operates the log, and ${left.from} has nothing left to do.`)
      print('RELAYER_PRIVATE_KEY_FORMER may be removed: restart every process without it.')
      return
    }
    const line = describe(left)
    if (line !== printed) {
      print(line)
      printed = line
      changedAt = clock()
    } else if (clock() - changedAt >= PATIENCE_MS) {
      print(
        'Nothing has changed for a minute: every process of the service must run with both keys, and reach the chain.',
      )
      changedAt = clock()
    }
    await pause()
  }
}

function describe({ from, isLogPending, transactions, tokens, blocks }: RelayerHandOver): string {
  const log = isLogPending ? 'the log is being handed over' : 'the log is handed over'
  if (!isLogPending && transactions === 0 && tokens === 0)
    return `Waiting until the tokens are known up to block ${blocks.final}.`
  return `${log}; ${from} has ${transactions} open transactions and ${tokens} tokens.`
}
