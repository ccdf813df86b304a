import pg from 'pg'
import { buildPostgresConnection } from '../connections/buildPostgresConnection.ts'
import type { ChangesListener, ChangesSubscription } from './changes.ts'

const CHANNEL = 'svc_changes'
/** How often the connection is checked; a broken connection can look like silence. */
const CHECK_MS = 2_000
const RETRY_MS = 500

/**
 * Subscribes to changes by `LISTEN`.
 *
 * A change arrives a few milliseconds after its commit. While the connection is broken, `onMissed` is called every half
 * second, also while an attempt to reconnect hangs, and once more on success, so that no cached value is relied on longer.
 * A host that falls silent is noticed sooner here than by the recorder, so that none is relied on at its successor either.
 *
 * @returns Once the first changes would arrive.
 * @throws Error if the database is unreachable.
 */
export async function listenToChanges(url: string, listener: ChangesListener): Promise<ChangesSubscription> {
  const { onChange, onMissed, log } = listener
  let client: pg.Client | null = null
  let stopped = false
  let wake: () => void = () => undefined

  async function listen(): Promise<pg.Client> {
    const next = new pg.Client(await buildPostgresConnection(url, { name: 'changes', statementMs: CHECK_MS }))
    next.on('notification', ({ payload = '' }) => {
      const [kind = '', ...ids] = payload.split(':')
      onChange({ kind, ids })
    })
    next.on('error', (err) => lose(next, err))
    next.on('end', () => lose(next, new Error('the connection ended')))
    try {
      await next.connect()
      await next.query(`LISTEN ${CHANNEL}`)
    } catch (error) {
      // Without this, a server that refuses to listen, such as a standby, would leak one connection per attempt.
      next.end().catch(() => undefined)
      throw error
    }
    return next
  }

  function lose(lost: pg.Client, err: unknown): void {
    if (client !== lost || stopped) return
    client = null
    log.warn({ err }, 'the connection that receives change notifications broke')
    lost.end().catch(() => undefined)
    wake()
  }

  const sleep = (ms: number): Promise<void> =>
    new Promise((resume) => {
      const timer = setTimeout(resume, ms)
      wake = () => {
        clearTimeout(timer)
        resume()
      }
    })

  async function watch(): Promise<void> {
    let isReported = false
    while (!stopped) {
      await sleep(client === null ? RETRY_MS : CHECK_MS)
      const checked = client
      if (checked !== null) await checked.query('SELECT 1').catch((err: unknown) => lose(checked, err))
      if (client !== null || stopped) continue
      onMissed()
      // An attempt may take longer than the pause between two attempts.
      const forgetting = setInterval(onMissed, RETRY_MS)
      client = await listen().catch((err: unknown) => {
        if (!isReported) log.warn({ err }, 'changes by other processes cannot be received')
        isReported = true
        return null
      })
      clearInterval(forgetting)
      if (client === null) continue
      isReported = false
      onMissed()
    }
    await client?.end()
  }

  client = await listen()
  const watching = watch()
  return {
    async stop() {
      stopped = true
      wake()
      await watching
    },
  }
}
