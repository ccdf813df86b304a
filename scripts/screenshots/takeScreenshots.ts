import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import type { DashboardPage } from './pages.ts'

/** Tallest pictures, which keeps them small; what is below says no more about how the page looks. */
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
  /** Null for pages that nobody is signed in on. */
  refreshToken: string | null
}

/** Draws pages in light, dark and on a phone, as `<name>-<form>.png`. */
export async function takeScreenshots({
  browser,
  baseUrl,
  folder,
  pages,
  refreshToken,
}: Input): Promise<void> {
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  const page = await context.newPage()
  await page.goto(`${baseUrl}/docs`)
  if (refreshToken !== null) {
    await page.evaluate((token) => sessionStorage.setItem('svc.refreshToken', token), refreshToken)
  }
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

/** Without loading anew, which would take the session up once more for each page. */
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
