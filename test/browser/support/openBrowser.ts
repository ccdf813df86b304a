import { existsSync } from 'node:fs'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

const CHROMIUM = '/usr/bin/chromium'
const ARGUMENTS = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
]

/** Opens Debian's Chromium; skips the tests of the hook, with a message, if it is not installed. */
export async function openBrowser(tests: Mocha.Context): Promise<Browser> {
  if (existsSync(CHROMIUM)) return chromium.launch({ executablePath: CHROMIUM, args: ARGUMENTS })
  console.log(`      skipped: ${CHROMIUM} is not installed (apt-get install chromium)`)
  return tests.skip()
}

/** Opens a page in a separate profile and collects its errors and content security policy violations. */
export async function openPage(
  browser: Browser,
  pageErrors: string[],
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  page.on('pageerror', (error) => pageErrors.push(error.message))
  page.on('console', (message) => {
    if (/Content Security Policy|Warning:|Error:/.test(message.text())) pageErrors.push(message.text())
  })
  return page
}

/** Navigates an open dashboard to another path as a click on an internal link would, without a page load. */
export async function showPath(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    window.history.pushState(null, '', to)
    window.dispatchEvent(new PopStateEvent('popstate'))
  }, path)
}
