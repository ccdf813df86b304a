import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { createOrganisation, registerEndpoint } from '../builders/participants.ts'
import { listen } from '../harness/peers/listen.ts'
import { openBrowser } from './support/openBrowser.ts'
import { type DashboardScene, openDashboardScene } from './support/openDashboardScene.ts'

describe('a host that another account has registered, in a browser', () => {
  let browser: Browser
  let scene: DashboardScene
  let page: Page
  let host: Awaited<ReturnType<typeof listen>>
  let file = '{"verifications": []}'

  before(async function () {
    browser = await openBrowser(this)
    scene = await openDashboardScene(browser)
    page = scene.page
    host = await listen((_, res) => void res.end(file))
    const squatter = await createOrganisation(scene.service.baseUrl)
    await registerEndpoint(scene.service.baseUrl, squatter.apiKey, { counterpartyUrl: `${host.url}/api` })
    await scene.signIn('/organisations')
    await scene.heading('Organisations').waitFor()
    await scene.button('Create organisation').click()
    await page.locator('input[name=name]').fill('Acme Orders')
    await scene.button('Create').click()
    await page.getByText('Acme Orders').waitFor()
  })

  after(async () => {
    await browser?.close()
    await host?.stop()
    await scene?.service.stop()
  })

  it('shows what to publish, and that it is not published yet', async () => {
    await scene.go('/endpoints/register', 'Register an endpoint')
    await page.locator('input[name=endpointName]').fill('Orders API')
    await page.locator('input[name=counterpartyUrl]').fill(`${host.url}/api`)
    await scene.button('Register endpoint').click()
    const note = page.getByRole('alert')
    await note.getByText('Another account has registered this host').waitFor()
    await note.getByText(/^svc-endpoint-verification=\w{22}$/).waitFor()
    await note.getByText(`${host.url}/.well-known/svc-endpoint-verification.json`).waitFor()
    await scene.checkPage('contested host')
    expect(await note.getByText('Neither of them was found').count()).to.equal(0)
    await scene.button('Try again').click()
    await note.getByText('Neither of them was found').waitFor()
    await scene.checkPage('contested host, tried again')
  })

  it('registers the endpoint with a verified domain once it is published', async () => {
    file = (await page.getByRole('alert').locator('pre').textContent()) ?? ''
    await scene.button('Try again').click()
    await page.getByText(/^whsec_[0-9A-Za-z+/=]{40,}$/).waitFor()
    await page.getByRole('link', { name: 'Go to Orders API' }).click()
    await scene.heading('Orders API').waitFor()
    await scene.openTab('Settings')
    await scene.section('Domain').getByText('Domain verified').waitFor()
  })

  it('passes axe without serious violations in light and dark mode, and fits the phone', () => {
    expect(scene.problems).to.deep.equal([])
  })

  it('throws no errors and causes no content security policy violations', () => {
    expect(scene.pageErrors).to.deep.equal([])
  })
})
