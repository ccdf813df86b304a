import { expect } from 'chai'
import { createOrganisation, registerEndpoint } from '../../builders/participants.ts'
import { api } from '../../harness/service/api.ts'
import { type KeyScene, openKeyScene } from './agents/keys/openKeyScene.ts'
import type { Owner } from './approvals/openOwnerScene.ts'

describe('If-Match and ETag of settings', () => {
  let scene: KeyScene
  let ada: Owner
  before(async () => {
    scene = await openKeyScene()
    ada = await scene.owner()
  })
  after(() => scene?.service.stop())

  const RULE = { dimension: 'purpose', match: { categories: ['shopping'] } }

  for (const { name, method, suffix, first, second } of [
    { name: 'an agent', method: 'PATCH', suffix: '', first: { name: 'One' }, second: { description: 'Two' } },
    {
      name: 'what requests of an agent must prove',
      method: 'PUT',
      suffix: '/settings',
      first: { minIdentityProof: 'token' },
      second: { requiredFacts: ['resource'] },
    },
    {
      name: 'approval rules',
      method: 'PUT',
      suffix: '/approval-rules',
      first: { rules: [RULE] },
      second: { rules: [] },
    },
  ] as const) {
    describe(`of ${name}`, () => {
      let path: string
      beforeEach(async () => {
        path = `/api/agents/${await ada.agent()}${suffix}`
      })
      type Headers = Record<string, string>
      const changeAs = (elevated: Headers, body: object, ifMatch?: string) => {
        const headers = { ...elevated, ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }) }
        return ada.call(method, path, { body, headers })
      }
      const change = async (body: object, ifMatch?: string) =>
        changeAs(await scene.elevated(ada), body, ifMatch)
      const tag = async () => (await ada.call('GET', path)).headers.get('etag') ?? ''

      it('let a change pass whose sender knows the current ones, and name the new ones', async () => {
        const before = await tag()
        const changed = await change(first, before)
        expect([changed.status, changed.headers.get('etag')]).to.deep.equal([200, await tag()])
        expect(await tag()).to.not.equal(before)
      })

      it('refuse a change whose sender has not seen the last one, and change nothing', async () => {
        const before = await tag()
        await change(first)
        const between = await tag()
        const refused = await change(second, before)
        expect([refused.status, refused.body.code]).to.deep.equal([412, 'PRECONDITION_FAILED'])
        expect(await tag()).to.equal(between)
        expect((await change(second, between)).status).to.equal(200)
      })

      it('let only one of several concurrent changes pass', async () => {
        const before = await tag()
        // One after the other: a passkey answers one challenge at a time.
        const elevated = [await scene.elevated(ada), await scene.elevated(ada)]
        const answers = await Promise.all(elevated.map((one) => changeAs(one, first, before)))
        expect(answers.map(({ status }) => status).toSorted()).to.deep.equal([200, 412])
      })

      it('accept any settings with *, several tags, and a tag that a proxy has made weak', async () => {
        expect((await change(first, '*')).status).to.equal(200)
        expect((await change(second, `"other", W/${await tag()}`)).status).to.equal(200)
        expect((await change(first, '"other"')).status).to.equal(412)
      })
    })
  }

  describe('of an endpoint', () => {
    it('refuse the change of an API key that has not seen the last one, and let it pass once it has', async () => {
      const { baseUrl } = scene.service
      const { apiKey: bearer } = await createOrganisation(baseUrl)
      const path = `/api/endpoints/${await registerEndpoint(baseUrl, bearer)}`
      const change = (body: object, ifMatch: string) =>
        api(baseUrl, 'PUT', path, { bearer, body, headers: { 'if-match': ifMatch } })
      const before = (await api(baseUrl, 'GET', path, { bearer })).headers.get('etag') ?? ''
      const changed = await change({ name: 'Renamed' }, before)
      expect(changed.status).to.equal(200)
      const refused = await change({ trustScoreRequirement: 7 }, before)
      expect([refused.status, refused.body.code]).to.deep.equal([412, 'PRECONDITION_FAILED'])
      const read = await api(baseUrl, 'GET', path, { bearer })
      expect(read.body.endpoint).to.include({ name: 'Renamed', trustScoreRequirement: 20 })
      expect(read.headers.get('etag')).to.equal(changed.headers.get('etag'))
      expect((await change({ trustScoreRequirement: 7 }, read.headers.get('etag') ?? '')).status).to.equal(
        200,
      )
    })
  })

  describe('of a webhook and an allowlist', () => {
    /** Returns what sends requests about a new endpoint. */
    async function openShop() {
      const { baseUrl } = scene.service
      const { apiKey: bearer } = await createOrganisation(baseUrl)
      const path = `/api/endpoints/${await registerEndpoint(baseUrl, bearer)}`
      return (method: string, suffix: string, body?: object, ifMatch?: string) =>
        api(baseUrl, method, `${path}${suffix}`, {
          bearer,
          ...(body && { body }),
          ...(ifMatch !== undefined && { headers: { 'if-match': ifMatch } }),
        })
    }

    it('refuse to set or remove a URL that has changed, and let it pass once its sender knows', async () => {
      const send = await openShop()
      const set = (url: string, ifMatch?: string) => send('POST', '/webhook', { url }, ifMatch)
      const tag = async () => (await send('GET', '/webhook')).headers.get('etag') ?? ''
      const none = await tag()
      const changed = await set('https://shop.acme.io/one', none)
      expect([changed.status, changed.headers.get('etag')]).to.deep.equal([200, await tag()])
      for (const refused of [
        await set('https://shop.acme.io/two', none),
        await send('DELETE', '/webhook', undefined, none),
      ]) {
        expect([refused.status, refused.body.code]).to.deep.equal([412, 'PRECONDITION_FAILED'])
      }
      expect((await send('GET', '/webhook')).body.webhook.url).to.equal('https://shop.acme.io/one')
      const removed = await send('DELETE', '/webhook', undefined, await tag())
      expect([removed.status, removed.headers.get('etag')]).to.deep.equal([200, none])
    })

    it('refuse to add or remove an entry of an owner who has other entries by now', async () => {
      const send = await openShop()
      const owner = 'SVCD-0000000000000000000001'
      const add = (body: object, ifMatch?: string) =>
        send('POST', '/allowlist', { allowedOwnerIdentifier: owner, ...body }, ifMatch)
      const added = await add({ minTrustScore: 50 })
      const removed = await send('DELETE', `/allowlist/${added.body.entry.id}`)
      const left = removed.headers.get('etag') ?? ''
      await send('POST', '/allowlist', { allowedOwnerIdentifier: 'SVCD-0000000000000000000002' })
      const again = await add({ minTrustScore: 50 }, left)
      expect(again.status).to.equal(201)
      await add({ minTrustScore: 80 }, again.headers.get('etag') ?? '')
      for (const refused of [
        await add({ minTrustScore: 20 }, left),
        await send('DELETE', `/allowlist/${again.body.entry.id}`, undefined, left),
      ]) {
        expect([refused.status, refused.body.code]).to.deep.equal([412, 'PRECONDITION_FAILED'])
      }
      const { items } = (await send('GET', '/allowlist')).body
      expect(items.map(({ minTrustScore }: { minTrustScore?: number }) => minTrustScore)).to.deep.equal([
        80,
        50,
        undefined,
      ])
    })
  })

  it('do not depend on what the service computes, such as the status of an agent', async () => {
    const id = await ada.agent()
    const tag = async () => (await ada.call('GET', `/api/agents/${id}`)).headers.get('etag')
    const before = await tag()
    await ada.call('POST', `/api/agents/${id}/suspend`)
    expect(await tag()).to.equal(before)
  })
})
