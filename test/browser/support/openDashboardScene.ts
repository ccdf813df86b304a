import type { Browser } from 'playwright-core'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { startService } from '../../harness/service/startService.ts'
import { addVirtualAuthenticator } from './addVirtualAuthenticator.ts'
import { buildDashboard } from './buildDashboard.ts'
import { findPageProblems } from './findPageProblems.ts'
import { injectWallet } from './injectWallet.ts'
import { openPage, showPath } from './openBrowser.ts'

/** What `openDashboardScene` opens. */
export type DashboardScene = Awaited<ReturnType<typeof openDashboardScene>>

/** The dashboard of a service of its own, on a phone with a wallet and an authenticator, for whom nobody is signed in yet. */
export async function openDashboardScene(browser: Browser) {
  await buildDashboard()
  const service = await startService()
  const wallet = privateKeyToAccount(generatePrivateKey())
  const complaints: string[] = []
  const wrong: string[] = []
  const page = await openPage(browser, complaints)
  await injectWallet(page, wallet)
  await addVirtualAuthenticator(page)

  const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true })
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const appUrl = service.baseUrl.replace('127.0.0.1', 'localhost')

  async function go(path: string, title: string): Promise<void> {
    await showPath(page, path)
    await heading(title).waitFor()
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' })
  }

  return {
    service,
    appUrl,
    page,
    wallet,
    /** What the page threw, and what its content security policy stopped. */
    complaints,
    /** What was wrong wherever a test looked. */
    wrong,
    heading,
    button,
    /** A field by its label, after which a required one has a star. */
    label: (name: string) =>
      page.getByLabel(new RegExp(`^${name}( \\*)?$`)).and(page.locator('input, textarea, select')),
    section: (name: string) => page.getByRole('region', { name, exact: true }),
    /** Goes to a page as its link would, and waits for all of it. */
    go,
    /** Notes what is wrong with what the page shows now. */
    async look(name: string): Promise<void> {
      wrong.push(...(await findPageProblems(page, name)))
    },
    /** Signs in by the wallet, on the page that was asked for. */
    async signIn(path: string): Promise<void> {
      await page.goto(appUrl + path)
      await button('Sign in with Test wallet').click()
    },
    async addPasskey(): Promise<void> {
      await go('/account', 'Account')
      await page.locator('input[name=passkeyName]').fill('My phone')
      await button('Add passkey').click()
      await button('Remove My phone').waitFor()
    },
  }
}
