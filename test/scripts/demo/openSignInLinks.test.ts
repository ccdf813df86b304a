import { expect } from 'chai'
import { openAccount } from '../../../scripts/demo/openAccount.ts'
import { LINK_MINUTES, openSignInLinks, type SignInLinks } from '../../../scripts/demo/openSignInLinks.ts'
import { type StartedService, startService } from '../../harness/service/startService.ts'

describe('openSignInLinks', () => {
  const time = { now: Date.now() }
  let service: StartedService
  let links: SignInLinks
  let account: Awaited<ReturnType<typeof openAccount>>
  before(async () => {
    service = await startService()
    account = await openAccount(service.baseUrl, { name: 'Ada', domain: 'acme.io', accountType: 'business' })
    links = await openSignInLinks(service.baseUrl, () => time.now)
  })
  after(async () => {
    await links?.close()
    await service?.stop()
  })

  const open = (link: string, method = 'GET') => fetch(link, { method, redirect: 'manual' })

  it('leads to the page with the cookie of a session, which the service accepts from its own pages', async () => {
    const { status, headers } = await open(links.add(account, '/activity'))
    expect(status).to.equal(302)
    expect(headers.get('location')).to.equal(`${service.baseUrl}/activity`)
    expect(headers.get('cache-control')).to.equal('no-store')
    const [cookie = ''] = headers.getSetCookie()
    expect(cookie).to.include('HttpOnly').and.include('SameSite=Strict')
    const refreshed = await fetch(`${service.baseUrl}/api/auth/refresh`, {
      method: 'POST',
      headers: {
        ...{ 'content-type': 'application/json', 'x-svc-session': 'cookie' },
        ...{ 'sec-fetch-site': 'same-origin', cookie: cookie.split(';')[0] ?? '' },
      },
      body: '{}',
    })
    expect(((await refreshed.json()) as { data: { user: object } }).data.user).to.include({
      email: account.email,
    })
  })

  it('signs in once and is refused afterwards', async () => {
    const link = links.add(account, '/')
    const used = await open(link)
    const again = await open(link)
    expect([used.status, again.status]).to.deep.equal([302, 410])
    expect(again.headers.getSetCookie()).to.deep.equal([])
    expect(await again.text()).to.include('has been used')
  })

  it('is not used up by a request for its head', async () => {
    const link = links.add(account, '/')
    expect((await open(link, 'HEAD')).status).to.equal(405)
    expect((await open(link)).status).to.equal(302)
  })

  it('ends after its minutes', async () => {
    const link = links.add(account, '/')
    time.now += LINK_MINUTES * 60_000 + 1
    expect((await open(link)).status).to.equal(410)
  })

  it('differs from every other, and nothing else signs in', async () => {
    const link = links.add(account, '/')
    expect(links.add(account, '/')).to.not.equal(link)
    expect((await open(new URL('/', link).href)).status).to.equal(410)
  })

  it('says so if the service does not sign in', async () => {
    const answer = await open(links.add({ ...account, password: 'another password' }, '/'))
    expect([answer.status, await answer.text()]).to.deep.equal([502, 'The service did not sign in: 401\n'])
    expect(answer.headers.getSetCookie()).to.deep.equal([])
  })
})
