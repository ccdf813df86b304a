import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { findKeyboardProblems } from './support/findKeyboardProblems.ts'
import { openBrowser } from './support/openBrowser.ts'
import { type DashboardScene, openDashboardScene } from './support/openDashboardScene.ts'

describe('the registration wizard in a browser', () => {
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

  const at = (step: string) => page.getByRole('region', { name: step, exact: true }).waitFor()
  const focused = () => page.locator(':focus')

  it('leads to the first field that is missing, whatever step the address names', async () => {
    await page.goto(`${scene.appUrl}/agents/register?step=3`)
    await at('1. Identity')
    await scene.button('Next: technology').click()
    expect(await focused().evaluate((one) => (one as HTMLInputElement).labels?.[0]?.textContent)).to.contain(
      'Name',
    )
    await scene.label('Name').fill('Courier')
    await scene.label('Picture URL').fill('not a URL')
    await scene.button('Next: technology').click()
    await at('1. Identity')
    await scene.label('Picture URL').fill('')
    await scene.button('Next: technology').click()
    await at('2. Technology')
    await scene.button('Next: boundary').click()
    await at('3. Boundary')
  })

  it('keeps up with typing, however slow the computer', async () => {
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 6 })
    const field = scene.label('Autonomous threshold')
    await field.focus()
    await page.keyboard.type('1234567', { delay: 0 })
    await page.keyboard.press('Tab')
    await page.waitForFunction(() => document.activeElement?.getAttribute('inputmode') === 'decimal')
    expect(await field.inputValue()).to.equal('1234567')
    await field.fill('')
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 })
    await devtools.detach()
  })

  it('takes a text that is no number for none, says what is wrong, and leads there', async () => {
    const field = scene.label('Maximum session duration')
    for (const text of ['30 min', '1h', '1:30', 'abc']) {
      await field.fill(text)
      await page.getByText('Enter a whole number of seconds, such as 1800').waitFor()
      expect(await field.inputValue()).to.equal(text)
    }
    await scene.button('Next: sign').click()
    expect(await focused().inputValue()).to.equal('abc')
    await scene.checkPage('faulty number')
    await field.fill('1')
    await page.getByText('second', { exact: true }).waitFor()
    await field.fill('1,800')
    await page.getByText('Sessions last at most 30 minutes.').waitFor()
    await scene.label('Minimum trust score of a counterparty').fill('999')
    await page.getByText('Enter a whole number from 0 to 100').waitFor()
    await scene.label('Minimum trust score of a counterparty').fill('')
  })

  it('names contradicting thresholds by their labels', async () => {
    await scene.label('Autonomous threshold').fill('100')
    await scene.label('Approval threshold').fill('50')
    await page.getByText('Must not be below ‘Autonomous threshold’ (100)').waitFor()
    await scene.button('Next: sign').click()
    expect(await focused().inputValue()).to.equal('50')
    await scene.label('Approval threshold').fill('500')
    await scene.button('Next: sign').click()
    await at('4. Sign')
  })

  it('goes back a step with the browser, and loses nothing, not even by a reload', async () => {
    await page.goBack()
    await at('3. Boundary')
    expect(await scene.label('Approval threshold').inputValue()).to.equal('500')
    await page.goBack()
    await at('2. Technology')
    await page.reload()
    await at('2. Technology')
    await page.goForward()
    await at('3. Boundary')
    expect(await scene.label('Approval threshold').inputValue()).to.equal('500')
    expect(await findKeyboardProblems(page, 'boundary')).to.deep.equal([])
  })

  it('passes axe, and causes no errors', () => {
    expect(scene.problems).to.deep.equal([])
    expect(scene.pageErrors).to.deep.equal([])
  })
})
