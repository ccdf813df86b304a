import type { Browser } from 'playwright-core'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { startService } from '../../harness/service/startService.ts'
import { addVirtualAuthenticator } from './addVirtualAuthenticator.ts'
import { buildDashboard } from './buildDashboard.ts'
import { findPageProblems } from './findPageProblems.ts'
import { injectWallet } from './injectWallet.ts'
import { openPage, showPath } from './openBrowser.ts'

/** The result of `openDashboardScene`. */
export type DashboardScene = Awaited<ReturnType<typeof openDashboardScene>>

type Options = {
  settings?: Record<string, string>
  /** By default that of a new key. */
  wallet?: PrivateKeyAccount
}

/** Opens the dashboard of a new service on a phone with a wallet and an authenticator, not signed in yet. */
export async function openDashboardScene(
  browser: Browser,
  { settings = {}, wallet = privateKeyToAccount(generatePrivateKey()) }: Options = {},
) {
  await buildDashboard()
  const service = await startService({ settings })
  const pageErrors: string[] = []
  const problems: string[] = []
  const page = await openPage(browser, pageErrors)
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
    /** Errors of the page and content security policy violations. */
    pageErrors,
    /** Problems found by `checkPage`. */
    problems,
    heading,
    button,
    /** A field by its label; required fields have a star after it. */
    label: (name: string) =>
      page.getByLabel(new RegExp(`^${name}( \\*)?$`)).and(page.locator('input, textarea, select')),
    section: (name: string) => page.getByRole('region', { name, exact: true }),
    /** Navigates to a page as its link would, and waits until it has loaded. */
    go,
    /** Opens a tab of the page, and waits until it has loaded. */
    async openTab(name: string): Promise<void> {
      await page.getByRole('tab', { name, exact: true }).click()
      await page.locator('[role=tabpanel]:visible [aria-busy=true]').first().waitFor({ state: 'detached' })
    },
    /** Records the problems of the page as shown now. */
    async checkPage(name: string): Promise<void> {
      problems.push(...(await findPageProblems(page, name)))
    },
    /** Signs in with the wallet on the given page. */
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
