import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { api } from '../harness/service/api.ts'
import { addVirtualAuthenticator, signInWithPasskey } from './support/addVirtualAuthenticator.ts'
import { openBrowser, openPage } from './support/openBrowser.ts'
import { type DashboardScene, openDashboardScene } from './support/openDashboardScene.ts'

const EMAIL = 'grace@people.io'

describe('signing up with a passkey in a browser', () => {
  let browser: Browser
  let scene: DashboardScene
  before(async function () {
    browser = await openBrowser(this)
    scene = await openDashboardScene(browser)
  })
  after(async () => {
    await browser?.close()
    await scene?.service.stop()
  })

  /** Opens the form for a new account in a browser without an account. */
  async function openForm(fields: { fullName: string; email: string }) {
    const page = await openPage(browser, scene.pageErrors)
    const keys = await addVirtualAuthenticator(page)
    await page.goto(scene.appUrl)
    await page.getByRole('button', { name: 'Create an account', exact: true }).click()
    await page.locator('input[name=fullName]').fill(fields.fullName)
    await page.locator('input[name=email]').fill(fields.email)
    const create = page.getByRole('button', { name: 'Create account with a passkey', exact: true })
    const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true })
    return { page, keys, create, heading }
  }

  it('asks for no password, and the passkey signs in afterwards', async () => {
    const { page, keys, create, heading } = await openForm({ fullName: 'Grace', email: EMAIL })
    await create.click()
    await heading('Overview').waitFor()
    await keys.setPresent(false)
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor()
    await signInWithPasskey(page, keys, heading('Overview'))
    await page.context().close()
  })

  it('needs a name and a valid address', async () => {
    for (const fields of [
      { fullName: '', email: EMAIL },
      { fullName: 'Grace', email: 'grace' },
    ]) {
      const { page, create } = await openForm(fields)
      let sent = 0
      page.on('request', (request) => {
        if (request.url().includes('/sign-up/')) sent += 1
      })
      await create.click()
      expect(await page.locator('input:invalid').first().isVisible()).to.equal(true)
      expect([
        sent,
        await page.getByRole('heading', { name: 'Create an account' }).isVisible(),
      ]).to.deep.equal([0, true])
      await page.context().close()
    }
  })

  it('says that an address is taken before a passkey is created', async () => {
    const email = 'taken@people.io'
    const body = { email, password: 'correct horse battery', fullName: 'Ada', accountType: 'individual' }
    await api(scene.service.baseUrl, 'POST', '/api/auth/register', { body })
    const { page, keys, create } = await openForm({ fullName: 'Grace', email })
    await create.click()
    await page.getByText('An account with this e-mail address already exists.').waitFor()
    expect(await page.locator('input[name=email]').getAttribute('aria-invalid')).to.equal('true')
    expect(await keys.credentials()).to.deep.equal([])
    await page.context().close()
  })

  it('throws no errors and causes no content security policy violations', () => {
    expect(scene.pageErrors).to.deep.equal([])
  })
})
