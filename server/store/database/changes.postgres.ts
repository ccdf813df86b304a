import pg from 'pg'
import { postgresConnection } from './postgresConnection.ts'

/** What has changed, and which: the agent, endpoint or key that caches may hold. Sent by migration 0014. */
export type Change = { kind: string; ids: readonly string[] }

export type ChangesListener = {
  onChange(change: Change): void
  /** Changes may have gone by unheard: nothing that is held can be relied on. */
  onMissed(): void
  log: { warn(fields: object, message: string): void }
}

export type ChangesSubscription = { stop(): Promise<void> }

const CHANNEL = 'svc_changes'
/** How often it is asked whether the connection still is one; a broken one may look like silence. */
const ASK_MS = 2_000
const RETRY_MS = 500

/**
 * Hears of the changes that any process over the database commits, this one included.
 *
 * A change is heard some milliseconds after its commit. While the connection is broken `onMissed` is called at every try
 * to make a new one and when there is one, so that nothing is relied on for longer than half a second.
 *
 * @returns When the first changes would be heard.
 * @throws Error when the database cannot be reached at all.
 */
export async function listenToChanges(url: string, listener: ChangesListener): Promise<ChangesSubscription> {
  const { onChange, onMissed, log } = listener
  let client: pg.Client | null = null
  let stopped = false
  let endRest: () => void = () => undefined

  async function listen(): Promise<pg.Client> {
    const next = new pg.Client(postgresConnection(url, { name: 'changes', statementMs: ASK_MS }))
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
      // A server that lets nobody listen, as a standby, would be left with one connection more at every try.
      next.end().catch(() => undefined)
      throw error
    }
    return next
  }

  function lose(lost: pg.Client, err: unknown): void {
    if (client !== lost || stopped) return
    client = null
    log.warn({ err }, 'the connection that hears of changes broke')
    lost.end().catch(() => undefined)
    endRest()
  }

  const rest = (ms: number): Promise<void> =>
    new Promise((resume) => {
      const timer = setTimeout(resume, ms)
      endRest = () => {
        clearTimeout(timer)
        resume()
      }
    })

  async function watch(): Promise<void> {
    let isTold = false
    while (!stopped) {
      await rest(client === null ? RETRY_MS : ASK_MS)
      const asked = client
      if (asked !== null) await asked.query('SELECT 1').catch((err: unknown) => lose(asked, err))
      if (client !== null || stopped) continue
      onMissed()
      client = await listen().catch((err: unknown) => {
        if (!isTold) log.warn({ err }, 'changes of other processes cannot be heard')
        isTold = true
        return null
      })
      if (client === null) continue
      isTold = false
      onMissed()
    }
    await client?.end()
  }

  client = await listen()
  const watching = watch()
  return {
    async stop() {
      stopped = true
      endRest()
      await watching
    },
  }
}
