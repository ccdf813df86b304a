import { setTimeout as pause } from 'node:timers/promises'
import type { Page, Route } from 'playwright-core'
import { waitUntil } from '../../harness/runner/waitUntil.ts'

/** How long a page is silent before the requests of a round trip count as complete; no assertion depends on it. */
const SILENCE_MS = 400
const ROUND_TRIPS_MAX = 20
/** What a page does so much later is no part of its load, however long its answers are held back here. */
const MUCH_LATER_MS = 5_000

/**
 * Loads a page with an empty cache and counts how many round trips follow one another until it is ready: all requests that
 * the page has sent are answered together, and those that it then sends are the next round trip.
 *
 * @returns Their number, the bytes of all answers with headers, and a list of the requests by round trip.
 */
export async function countRoundTrips(page: Page, url: string, isReady: () => Promise<boolean>) {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.setCacheDisabled', { cacheDisabled: true })
  let bytes = 0
  devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  await page.addInitScript(dropTimersOf, MUCH_LATER_MS)
  let pending: Route[] = []
  await page.route('**/*', (route) => {
    pending.push(route)
  })
  const opening = page.goto(url, { waitUntil: 'commit' })
  // Awaited below, once its request is answered; until then a failure would count as unhandled.
  opening.catch(() => null)
  const sent: string[] = []
  let roundTrips = 0
  do {
    await waitForSilence(() => pending.length)
    const answered = pending
    pending = []
    roundTrips += 1
    for (const route of answered) {
      sent.push(`${roundTrips} ${new URL(route.request().url()).pathname}`)
      await route.continue()
    }
    // A page that is still being replaced cannot be asked whether it is ready.
    await opening
    await pause(SILENCE_MS)
    // On a busy machine, answers take longer than that.
    await waitUntil(async () => pending.length > 0 || (await isReady()) || null)
  } while (roundTrips < ROUND_TRIPS_MAX && !(await isReady()))
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await devtools.detach()
  return { roundTrips, bytes, report: sent.join('\n') }
}

/** Runs in the browser, before the scripts of the page. */
function dropTimersOf(muchLaterMs: number): void {
  const { setTimeout } = window
  window.setTimeout = ((run: TimerHandler, ms = 0, ...values: unknown[]) =>
    ms >= muchLaterMs ? 0 : setTimeout(run, ms, ...values)) as typeof window.setTimeout
}

async function waitForSilence(count: () => number): Promise<void> {
  for (let before = -1; before !== count() || before === 0; ) {
    before = count()
    await pause(SILENCE_MS)
  }
}
