import type { Page } from 'playwright-core'

/** A connection of 400 ms and 50 kB/s. */
const SLOW = { offline: false, latency: 400, downloadThroughput: 50 * 1024, uploadThroughput: 50 * 1024 }

/** Loads a page over a slow connection with an empty cache; returns the milliseconds until it is ready. */
export async function measureLoad(page: Page, url: string, isReady: () => boolean): Promise<number> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.setCacheDisabled', { cacheDisabled: true })
  await devtools.send('Network.emulateNetworkConditions', SLOW)
  const startedAt = performance.now()
  await page.goto(url, { waitUntil: 'commit' })
  await page.waitForFunction(isReady, null, { polling: 50 })
  const took = performance.now() - startedAt
  await devtools.detach()
  return took
}
