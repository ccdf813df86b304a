import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { type PushService, startPushService } from '../harness/peers/startPushService.ts'
import { waitUntil } from '../harness/runner/waitUntil.ts'
import { type OwnerScene, openOwnerScene } from '../server/services/approvals/openOwnerScene.ts'
import { buildDashboard } from './support/buildDashboard.ts'
import { findPageProblems } from './support/findPageProblems.ts'
import { openBrowser, openPage, showPath } from './support/openBrowser.ts'

const CHROME =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'

/**
 * Headless Chromium has no push service to subscribe at, so `subscribe` returns a subscription at the test's own. What that
 * receives is delivered to the service worker by the developer tools.
 */
describe('notifications in a browser', () => {
  let scene: OwnerScene
  let service: PushService
  let browser: Browser
  let page: Page
  let svcId = ''
  const pageErrors: string[] = []

  before(async function () {
    browser = await openBrowser(this)
    await buildDashboard()
    scene = await openOwnerScene()
    service = await startPushService()
    const ada = await scene.owner()
    svcId = await ada.agent({ name: 'Buyer' })
    page = await openPage(browser, pageErrors, { userAgent: CHROME })
    await page.addInitScript((subscription) => {
      PushManager.prototype.subscribe = async (options) => {
        Object.assign(window, { subscribedWith: options?.applicationServerKey })
        return { toJSON: () => subscription } as unknown as PushSubscription
      }
    }, service.subscription())
    await page.goto(scene.appUrl)
    await page.locator('input[name=email]').fill(ada.email)
    await page.locator('input[name=password]').fill('correct horse battery')
    await button('Sign in').click()
    await page.getByRole('heading', { level: 1, name: 'Overview', exact: true }).waitFor()
    await showPath(page, '/approvals')
    await button('Notify me in this browser').waitFor()
  })

  after(async () => {
    await browser?.close()
    await service?.stop()
    await scene?.service.stop()
  })

  const button = (name: string) => page.getByRole('button', { name, exact: true })

  it('ask for permission on a click only, and say what to do if it is refused', async () => {
    expect(await page.evaluate(() => navigator.serviceWorker.getRegistrations())).to.deep.equal([])
    await page.evaluate(() => {
      Notification.requestPermission = async () => 'denied'
    })
    await button('Notify me in this browser').click()
    await page.getByText(/^This browser does not allow notifications from this site\./).waitFor()
    expect(await page.evaluate(() => 'subscribedWith' in window)).to.equal(false)
  })

  it('are agreed with the key of the service, and list the browser', async () => {
    await page.evaluate(() => {
      Notification.requestPermission = async () => 'granted'
    })
    await page.context().grantPermissions(['notifications'], { origin: scene.appUrl })
    await button('Notify me in this browser').click()
    await page.getByRole('group', { name: 'Chrome on Linux' }).waitFor()
    const key = await page.evaluate(() => (window as unknown as { subscribedWith: string }).subscribedWith)
    expect(Buffer.from(key, 'base64url').length).to.equal(65)
    expect(await findPageProblems(page, 'notifications')).to.deep.equal([])
  })

  it('show which agent asks, and open the approval on a click', async () => {
    const { approvalId } = await scene.asked(svcId)
    const [push] = await waitUntil(async () => (service.received.length > 0 ? service.received : null))
    const worker = await waitUntil(async () => page.context().serviceWorkers()[0] ?? null)
    const devtools = await page.context().newCDPSession(page)
    const registrations: { registrationId: string }[] = []
    devtools.on('ServiceWorker.workerRegistrationUpdated', (event) =>
      registrations.push(...event.registrations),
    )
    await devtools.send('ServiceWorker.enable')
    const { registrationId } = await waitUntil(async () => registrations[0] ?? null)
    const data = JSON.stringify(push?.message)
    await devtools.send('ServiceWorker.deliverPushMessage', { origin: scene.appUrl, registrationId, data })
    const path = `/activity/pending/${approvalId}`
    const shown = await waitUntil(async () => {
      const read = () =>
        page.evaluate(async () => {
          const registration = await navigator.serviceWorker.getRegistration('/push-worker/')
          const notifications = (await registration?.getNotifications()) ?? []
          return notifications.map(({ title, body, tag }) => ({ title, body, tag }))
        })
      const notifications = await read()
      return notifications.length > 0 ? notifications : null
    })
    expect(shown).to.deep.equal([
      { title: 'Buyer requests your approval', body: 'Open to approve or deny.', tag: path },
    ])
    const opened = await worker.evaluate(async () => {
      const scope = globalThis as unknown as {
        registration: ServiceWorkerRegistration
        clients: { openWindow: (url: string) => Promise<null> }
        dispatchEvent: (event: Event) => boolean
      }
      const [notification] = await scope.registration.getNotifications()
      // A window may be opened on a real click only, which the developer tools cannot make.
      return new Promise<string>((resolve) => {
        scope.clients.openWindow = async (url) => {
          resolve(url)
          return null
        }
        const Click = (globalThis as unknown as { NotificationEvent: new (...args: unknown[]) => Event })
          .NotificationEvent
        scope.dispatchEvent(new Click('notificationclick', { notification }))
      })
    })
    expect(opened).to.equal(scene.appUrl + path)
  })

  it('end for a browser that the person removes', async () => {
    await button('Stop notifying Chrome on Linux').click()
    await page.getByRole('group', { name: 'Chrome on Linux' }).waitFor({ state: 'detached' })
    await scene.asked(svcId)
    expect(await scene.store('SELECT id FROM push_messages')).to.deep.equal([])
  })

  it('violate no content security policy', () => {
    expect(pageErrors).to.deep.equal([])
  })
})
