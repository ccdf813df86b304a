import pg from 'pg'
import { buildPostgresConnection } from '../connections/buildPostgresConnection.ts'
import type { ChangesListener, ChangesSubscription } from './changes.ts'

const CHANNEL = 'svc_changes'
/** How often the connection is checked, because a broken connection looks like silence, and how long an answer may take. */
const CHECK_MS = 500
const ANSWER_MS = 500
/** After this time without an answer the connection is given up. */
const LOST_MS = 2_000
const RETRY_MS = 500

/**
 * Subscribes to changes by `LISTEN`.
 *
 * A change arrives a few milliseconds after its commit. While the connection is silent or broken, `onMissed` is called every
 * half second, also while an attempt to reconnect hangs, and once more on success, so that no cached value is relied on
 * longer than a second: a connection that falls silent is noticed after two halves of one. A server that is merely slow only
 * has values read again. A host that falls silent is noticed sooner here than by the recorder, so that none is relied on at
 * its successor either.
 *
 * @returns Once the first changes would arrive.
 * @throws Error if the database is unreachable.
 */
export async function listenToChanges(url: string, listener: ChangesListener): Promise<ChangesSubscription> {
  const { onChange, onMissed, log } = listener
  let client: pg.Client | null = null
  let stopped = false
  let wake: () => void = () => undefined

  async function listen(): Promise<void> {
    const next = new pg.Client(await buildPostgresConnection(url, { name: 'changes', statementMs: LOST_MS }))
    next.on('notification', ({ payload = '' }) => {
      const [kind = '', ...ids] = payload.split(':')
      onChange({ kind, ids })
    })
    let fault: unknown = null
    const end = (err: unknown) => {
      fault ??= err
      lose(next, err)
    }
    next.on('error', end)
    next.on('end', () => end(new Error('the connection ended')))
    try {
      await next.connect()
      await next.query(`LISTEN ${CHANNEL}`)
      // It may have ended while nobody could lose it yet.
      if (fault !== null) throw fault
      client = next
    } catch (error) {
      // Without this, a server that refuses to listen, such as a standby, would leak one connection per attempt.
      next.end().catch(() => undefined)
      throw error
    }
  }

  function lose(lost: pg.Client, err: unknown): void {
    if (client !== lost || stopped) return
    client = null
    log.warn({ err }, 'the connection that receives change notifications broke')
    lost.end().catch(() => undefined)
    wake()
  }

  /** Gives up a connection that does not answer at all; while it is late, changes may be missed. */
  async function check(checked: pg.Client): Promise<void> {
    let isLate = false
    const late = setInterval(() => {
      isLate = true
      onMissed()
    }, ANSWER_MS)
    await checked.query('SELECT 1').catch((err: unknown) => lose(checked, err))
    clearInterval(late)
    // What was read while it was silent may have changed before it was heard again.
    if (isLate && client === checked) onMissed()
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
      if (client !== null) await check(client)
      if (client !== null || stopped) continue
      onMissed()
      // An attempt may take longer than the pause between two attempts.
      const forgetting = setInterval(onMissed, RETRY_MS)
      await listen().catch((err: unknown) => {
        if (!isReported) log.warn({ err }, 'changes by other processes cannot be received')
        isReported = true
      })
      clearInterval(forgetting)
      if (client === null) continue
      isReported = false
      onMissed()
    }
    await client?.end()
  }

  await listen()
  const watching = watch()
  return {
    async stop() {
      stopped = true
      wake()
      await watching
    },
  }
}
