import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { openBrowser } from './support/openBrowser.ts'
import { type DashboardScene, openDashboardScene } from './support/openDashboardScene.ts'

describe('the focus of the keyboard', () => {
  let browser: Browser
  let scene: DashboardScene
  let page: Page

  before(async function () {
    browser = await openBrowser(this)
    scene = await openDashboardScene(browser)
    page = scene.page
  })

  after(async () => {
    await browser?.close()
    await scene?.service.stop()
  })

  const isFocused = (selector: string) =>
    page.waitForFunction((one) => document.activeElement?.matches(one) === true, selector)

  it('comes to the form for a new account from “Get started”', async () => {
    await page.goto(scene.appUrl)
    await scene.button('Get started').focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('Full name').waitFor()
    await isFocused('input')
  })

  it('stays on a button while its action is pending, which a second press does not repeat', async () => {
    await scene.signIn('/api-keys')
    await scene.heading('API keys').waitFor()
    await scene.button('Create API key').click()
    await page.locator('input[name=name]').fill('gateway')
    let sent = 0
    let answer = () => {}
    const held = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route('**/api/api-keys', async (route) => {
      if (route.request().method() === 'POST') {
        sent += 1
        await held
      }
      await route.continue()
    })
    await scene.button('Create').focus()
    await page.keyboard.press('Enter')
    await isFocused('button[aria-busy=true][aria-disabled=true]')
    await page.keyboard.press('Enter')
    await page.locator('input[name=name]').press('Enter')
    expect(sent).to.equal(1)
    answer()
    await scene.button('I have saved it').click()
    await page.unrouteAll()
  })

  it('goes to the heading of the section when a removed row had it', async () => {
    await page.getByRole('button', { name: /^Revoke/ }).focus()
    await page.keyboard.press('Enter')
    // The dialog of the test before may still be closing.
    const dialog = page.getByRole('dialog', { name: 'Revoke this key?' })
    await dialog.getByRole('button', { name: /^Revoke/ }).focus()
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /^Revoke/ }).waitFor({ state: 'detached' })
    await isFocused('h1, h2, section *, main *')
  })

  it('causes no errors', () => {
    expect(scene.pageErrors).to.deep.equal([])
  })
})
