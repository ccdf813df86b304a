import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { generateSync } from 'otplib'
import { type PersonClaims, startOpenIdProvider } from '../../../harness/peers/startOpenIdProvider.ts'
import { api } from '../../../harness/service/api.ts'
import {
  type Arrival,
  type CookieBrowser,
  createCookieBrowser,
} from '../../../harness/service/createCookieBrowser.ts'
import { startService } from '../../../harness/service/startService.ts'
import { APP_URL } from '../accounts/openAccounts.ts'
import { PASSWORD } from '../accounts/person.ts'
import { told } from '../accounts/told.ts'

export type ProviderScene = Awaited<ReturnType<typeof openProviderScene>>

/** The whole service with two identity providers, people with accounts there, and a clock that the test moves. */
export async function openProviderScene() {
  const people: Record<string, PersonClaims> = {}
  const time = { offset: 0 }
  const google = await startOpenIdProvider(people)
  const microsoft = await startOpenIdProvider(people)
  const service = await startService({
    settings: { APP_URL, ...google.settings('GOOGLE'), ...microsoft.settings('MICROSOFT') },
    clock: () => Date.now() + time.offset,
  })
  google.accept(`${APP_URL}/api/auth/oauth/google/callback`)
  microsoft.accept(`${APP_URL}/api/auth/oauth/microsoft/callback`)

  const call = (method: string, path: string, options: Parameters<typeof api>[3] = {}) =>
    api(service.baseUrl, method, path, options)

  /** Moves the clock by a minute, which renews the sign-in budget of the address. */
  const newBrowser = () => {
    time.offset += 60_000
    return createCookieBrowser({ url: APP_URL, baseUrl: service.baseUrl })
  }

  return {
    service,
    google,
    people,
    time,
    call,
    newBrowser,
    consent,
    arrive,
    returnOf,
    exchange,
    /** A person with accounts at the providers. */
    person(claims: PersonClaims = {}) {
      const login = `p${randomUUID().slice(0, 8)}`
      const claimed = { email: `${login}@gmail.com`, email_verified: true, name: 'Ada Lovelace', ...claims }
      people[login] = claimed
      return { login, email: claimed.email }
    },
    /** Signs a person in with a separate browser, and returns the session and its account. */
    async signIn(login: string, provider = 'google') {
      const browser = newBrowser()
      const { code } = told(await arrive(browser, login, provider))
      return (await exchange(browser, code)).body.data
    },
    /** Creates an account with a password and returns its access token. */
    async register(email: string, isVerified = true): Promise<string> {
      const body = { email, password: PASSWORD, fullName: 'Ada', accountType: 'individual' }
      const registered = await call('POST', '/api/auth/register', { body })
      expect(registered.status).to.equal(201)
      if (isVerified)
        await service.rows('UPDATE users SET email_verified_at = 1 WHERE email = ? RETURNING id', email)
      return registered.body.data.accessToken
    },
    /** Reads the linked identities of the account. */
    identities: async (bearer: string) =>
      (await call('GET', '/api/auth/oauth/identities', { bearer })).body.items,
    /** Links a Google identity to an account, and returns the parameters that the page receives. */
    async link(browser: CookieBrowser, bearer: string, login: string) {
      const { status, body } = await browser.post('/api/auth/oauth/google/link', {}, bearer)
      expect(status, JSON.stringify(body)).to.equal(200)
      return told(await consent(browser, await browser.visit(body.url), login))
    },
    /**
     * Enables an authenticator app, and returns its codes, `steps` from now, with a function to send requests in the
     * session.
     */
    async turnAppOn(bearer: string) {
      const post = (path: string, body: object) => call('POST', path, { bearer, body })
      const { secret } = (await post('/api/auth/mfa/totp', {})).body
      const code = (steps: number) =>
        generateSync({ secret, epoch: Math.floor((Date.now() + time.offset) / 1000) + 30 * steps })
      expect((await post('/api/auth/mfa/totp/confirm', { code: code(0) })).status).to.equal(200)
      return { post, code }
    },
    async close() {
      await service.stop()
      await google.stop()
      await microsoft.stop()
    },
  }
}

/** Goes from the provider’s form to the page of the dashboard. */
async function consent(browser: CookieBrowser, form: Arrival, login: string) {
  const asked = await browser.submit(form, { prompt: 'login', login, password: 'any' })
  return asked.text === '' ? asked : browser.submit(asked, { prompt: 'consent' })
}

/** Goes from the button of the sign-in page to the page of the dashboard. */
async function arrive(browser: CookieBrowser, login: string, provider = 'google') {
  return consent(browser, await browser.visit(`/api/auth/oauth/${provider}`), login)
}

/** Returns the URL to which the provider redirects a browser, without opening it. */
async function returnOf(browser: CookieBrowser, login: string): Promise<URL> {
  const form = await browser.visit('/api/auth/oauth/google')
  const fields = [{ prompt: 'login', login, password: 'any' }, { prompt: 'consent' }]
  let url = form.url
  for (const field of fields) {
    const sent = await browser.send(url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(field as Record<string, string>).toString(),
    })
    const resumed = new URL(sent.headers.get('location') ?? '', url)
    url = new URL((await browser.send(resumed)).headers.get('location') ?? '', resumed)
  }
  return url
}

/** Redeems the code that the page received. */
function exchange(browser: CookieBrowser, code: string | undefined) {
  return browser.post('/api/auth/oauth/exchange', { code })
}
