import { expect } from 'chai'
import type { Browser, Page, Route } from 'playwright-core'
import { openBrowser } from './support/openBrowser.ts'
import { type DashboardScene, openDashboardScene } from './support/openDashboardScene.ts'
import { tabTo } from './support/tabTo.ts'

const PASSWORD = 'correct horse battery'
const AGENTS = /\/api\/agents(\?|$)/
const FRIEND = 'SVCD-0000000000000000000001'

/** What the service answers if the settings are no longer those that the dashboard names. */
async function refuseOnce(route: Route): Promise<void> {
  if (route.request().method() !== 'POST') return route.continue()
  expect(route.request().headers()).to.include.keys('if-match')
  const message = 'The settings have changed.'
  await route.fulfill({ status: 412, json: { success: false, code: 'PRECONDITION_FAILED', message } })
}

describe('the forms and notices of the dashboard', () => {
  let browser: Browser
  let scene: DashboardScene
  let page: Page
  let endpointPath = ''

  before(async function () {
    this.timeout(120_000)
    browser = await openBrowser(this)
    scene = await openDashboardScene(browser)
    page = scene.page
    await page.goto(scene.appUrl)
    await scene.button('Create an account').click()
  })

  after(async () => {
    await browser?.close()
    await scene?.service.stop()
  })

  const fill = (name: string, text: string) => page.locator(`input[name=${name}]:visible`).fill(text)
  const says = (notice: string) => page.getByRole('status').getByText(notice, { exact: true }).waitFor()

  /** The field has the focus, and says what is wrong with it; nothing else does. */
  async function expectFault(name: string, fault: RegExp): Promise<void> {
    const field = page.locator(`input[name=${name}][aria-invalid=true]:focus`)
    await field.waitFor()
    const described = await field.evaluate((input) =>
      (input.getAttribute('aria-describedby') ?? '')
        .split(' ')
        .map((id) => document.getElementById(id)?.textContent)
        .join(' '),
    )
    expect(described).to.match(fault)
    expect(await page.getByRole('alert').count()).to.equal(0)
  }

  it('say at the field why an account cannot be created, with a password or a passkey', async () => {
    await fill('fullName', 'Ada Example')
    await fill('email', 'ada@people')
    await fill('password', PASSWORD)
    await scene.button('Create account').click()
    await expectFault('email', /Invalid email address/)
    await scene.checkPage('an account form with a fault')
    await scene.button('Create account with a passkey').click()
    await expectFault('email', /Invalid email address/)
    await fill('email', 'ada@people.io')
    await scene.button('Create account').click()
    await scene.heading('Overview').waitFor()
  })

  it('say at the field which password is wrong', async () => {
    await scene.go('/account', 'Account')
    await fill('currentPassword', 'wrong horse battery')
    await fill('newPassword', PASSWORD)
    await scene.button('Change password').click()
    await expectFault('currentPassword', /Current password is not the password/)
  })

  it('say at the field why an organisation and an endpoint are refused', async () => {
    await scene.go('/organisations', 'Organisations')
    await scene.button('Create organisation').click()
    await fill('name', 'Ac\u200bme')
    await scene.button('Create').click()
    await expectFault('name', /U\+200B/)
    await fill('name', 'Acme')
    await scene.button('Create').click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await scene.go('/endpoints/register', 'Register an endpoint')
    await fill('endpointName', 'Shop')
    await fill('counterpartyUrl', 'https://user:secret@shop.acme.io')
    await scene.button('Register endpoint').click()
    await expectFault('counterpartyUrl', /^URL: expected/)
    await fill('counterpartyUrl', 'https://shop.acme.io')
    await scene.button('Register endpoint').click()
    const link = page.getByRole('link', { name: 'Go to Shop' })
    endpointPath = (await link.getAttribute('href')) ?? ''
    await link.click()
    await scene.heading('Shop').waitFor()
  })

  it('say at the field why a webhook is refused, and then that it is saved, and take that back', async () => {
    await scene.openTab('Webhooks')
    await fill('url', 'https://shop.acme.io/hooks#here')
    await scene.button('Save URL').click()
    await expectFault('url', /^URL: expected an address without a fragment/)
    await fill('url', 'https://shop.acme.io/hooks')
    await scene.button('Save URL').click()
    await says('Saved')
    await scene.button('Remove webhook').waitFor()
    await scene.button('Undo').click()
    await says('Undone')
    await scene.button('Remove webhook').waitFor({ state: 'detached' })
  })

  it('say that something is removed, and bring it back', async () => {
    await fill('url', 'https://shop.acme.io/hooks')
    await scene.button('Save URL').click()
    await scene.button('Remove webhook').click()
    await says('Removed. Pending deliveries are cancelled.')
    await scene.button('Undo').click()
    await says('Undone')
    await scene.button('Remove webhook').waitFor()
    expect(await page.locator('input[name=url]').inputValue()).to.equal('https://shop.acme.io/hooks')
    await scene.openTab('Allowlist')
    await scene.label('Owner').fill(FRIEND)
    await scene.button('Add to allowlist').click()
    await says('Saved')
    await scene.button(`Remove ${FRIEND}`).click()
    await says('Removed')
    await page.getByText('No entries: agents of any owner are admitted.').waitFor()
    await scene.button('Undo').click()
    await scene.button(`Remove ${FRIEND}`).waitFor()
    await says('Undone')
  })

  it('do not take back what somebody else has changed since', async () => {
    await scene.button(`Remove ${FRIEND}`).click()
    await says('Removed')
    await page.route('**/allowlist', refuseOnce)
    await scene.button('Undo').click()
    await says('Not undone: it has been changed again since.')
    await page.unroute('**/allowlist', refuseOnce)
  })

  it('say that the service has had too many requests, instead of showing an empty list', async () => {
    const message = 'Too many requests. Try again in a moment.'
    await page.route(AGENTS, (route) =>
      route.fulfill({ status: 429, json: { success: false, code: 'RATE_LIMITED', message } }),
    )
    await scene.go('/agents', 'Agents')
    await page.getByRole('alert').getByText(message).waitFor()
    expect(await page.getByText('No agents yet').count()).to.equal(0)
    await page.keyboard.press('Control+k')
    await page.getByLabel('Find a page, agent, endpoint, organisation or key').fill('zzzz')
    await page.getByRole('dialog').getByText(message).waitFor()
    expect(await page.getByText('Nothing found').count()).to.equal(0)
    await page.keyboard.press('Escape')
    await page.unroute(AGENTS)
    await scene.button('Try again').click()
    await page.getByText('No agents yet').waitFor()
  })

  it('show the focus of a row of a list around the whole row', async () => {
    await scene.go('/endpoints', 'Endpoints')
    await tabTo(page, `a[href="${endpointPath}"]`)
    const row = page.locator(`a[href="${endpointPath}"]`)
    const outline = await row.evaluate((link) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(link)
      return [outlineStyle, outlineWidth, link.textContent?.includes('Shop')]
    })
    expect(outline).to.deep.equal(['solid', '2px', true])
  })

  it('do not move for a reader who prefers that', async () => {
    // Buttons that change their colour do not move.
    await page.evaluate(() => {
      Object.assign(window, { moved: 0 })
      for (const type of ['transitionrun', 'animationstart']) {
        document.addEventListener(type, ({ target }) => {
          const counted = window as unknown as { moved: number }
          if (target instanceof Element && target.closest('a, button, input') === null) counted.moved += 1
        })
      }
    })
    const hasMoved = () => (window as unknown as { moved: number }).moved > 0
    const awaitTwoFrames = () =>
      new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())))
    /** What moves does so within two frames. */
    const expectMoved = async (isStill: boolean, open: () => Promise<void>): Promise<void> => {
      await page.evaluate(() => Object.assign(window, { moved: 0 }))
      await open()
      if (!isStill) await page.waitForFunction(hasMoved)
      await page.evaluate(awaitTwoFrames)
      expect(await page.evaluate(hasMoved)).to.equal(!isStill)
    }
    const dialog = page.getByRole('dialog')
    for (const reducedMotion of ['no-preference', 'reduce'] as const) {
      await page.emulateMedia({ reducedMotion })
      await scene.go('/organisations', 'Organisations')
      const isStill = reducedMotion === 'reduce'
      await expectMoved(isStill, async () => {
        await scene.button('Open the menu').click()
        await page.getByRole('navigation').getByRole('link', { name: 'Agents' }).waitFor()
      })
      await scene.button('Close the menu').click()
      await expectMoved(isStill, async () => {
        await scene.button('Create organisation').click()
        await dialog.waitFor()
      })
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
    }
  })

  it('pass axe, and throw no errors', () => {
    expect(scene.problems).to.deep.equal([])
    expect(scene.pageErrors).to.deep.equal([])
  })
})
