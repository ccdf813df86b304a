import { existsSync } from 'node:fs'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

const CHROMIUM = '/usr/bin/chromium'
const ARGUMENTS = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
]

/** Opens Debian's Chromium for the tests of a hook, which are skipped, and say so, where there is none. */
export async function openBrowser(tests: Mocha.Context): Promise<Browser> {
  if (existsSync(CHROMIUM)) return chromium.launch({ executablePath: CHROMIUM, args: ARGUMENTS })
  console.log(`      skipped: there is no ${CHROMIUM} (apt-get install chromium)`)
  return tests.skip()
}

/** Opens a page in a profile of its own; what it throws, and what the content security policy stops, is collected. */
export async function openPage(
  browser: Browser,
  complaints: string[],
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (/Content Security Policy|Warning:|Error:/.test(message.text())) complaints.push(message.text())
  })
  return page
}

/** Leads an open dashboard to another address, as a click on one of its own links does: without loading it anew. */
export async function showPath(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    window.history.pushState(null, '', to)
    window.dispatchEvent(new PopStateEvent('popstate'))
  }, path)
}
