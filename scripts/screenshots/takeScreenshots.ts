import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import type { DashboardPage } from './pages.ts'
import { signInBrowser } from './signInBrowser.ts'

/** Maximum heights, which keep the files small without hiding much of the layout. */
const HEIGHT_MAX = { wide: 1_080, phone: 1_900 }

const FORMS = [
  { form: 'light', colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { form: 'dark', colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
  { form: 'phone', colorScheme: 'light', viewport: { width: 390, height: 844 } },
] as const

type Input = {
  browser: Browser
  baseUrl: string
  folder: string
  pages: readonly DashboardPage[]
  /** Null to visit the pages signed out. */
  refreshToken: string | null
}

/** Takes screenshots in light mode, in dark mode and at phone size, as `<name>-<form>.png`. */
export async function takeScreenshots({
  browser,
  baseUrl,
  folder,
  pages,
  refreshToken,
}: Input): Promise<void> {
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  const page = await context.newPage()
  if (refreshToken !== null) await signInBrowser(page, baseUrl, refreshToken)
  await page.goto(baseUrl)
  for (const { name, path } of pages) {
    await goTo(page, path)
    for (const { form, colorScheme, viewport } of FORMS) {
      await page.setViewportSize(viewport)
      await page.emulateMedia({ colorScheme })
      await settle(page)
      const height = await page.evaluate(() => document.documentElement.scrollHeight)
      await page.setViewportSize({
        ...viewport,
        height: Math.min(
          form === 'phone' ? HEIGHT_MAX.phone : HEIGHT_MAX.wide,
          Math.max(viewport.height, height),
        ),
      })
      await page.screenshot({ path: join(folder, `${name}-${form}.png`) })
    }
  }
  await context.close()
}

/** Navigates without a reload, which would restore the session for each page. */
async function goTo(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    window.history.pushState(null, '', to)
    window.dispatchEvent(new PopStateEvent('popstate'))
  }, path)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
}

async function settle(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector('[aria-busy=true]') === null)
  await page.evaluate(() => document.fonts.ready.then(() => null))
  await page.waitForTimeout(350)
}
