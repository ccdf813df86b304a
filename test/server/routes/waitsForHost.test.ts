import { expect } from 'chai'
import { TABLE } from '../../../server/routes/index.ts'
import { createOrganisation, registerEndpoint } from '../../builders/participants.ts'
import { waitUntil } from '../../harness/runner/waitUntil.ts'
import { openWaitingScene, type WaitingScene } from './openWaitingScene.ts'

/** Places of a person for each kind of wait in this scene. */
const PLACES = 4

describe('operations that wait for a host which a user names', function () {
  this.timeout(180_000)
  let opened: WaitingScene

  before(async () => {
    opened = await openWaitingScene()
  })
  afterEach(async () => {
    // Each test has the whole budget of challenges.
    opened.scene.time.now += 60_000
  })
  after(() => opened?.close())

  const namesOf = (rows: typeof TABLE) =>
    rows.filter((row) => 'waitsForHost' in row[4]).map(([method, path]) => `${method} ${path}`)

  /** Sends requests, and waits until all but those that wait for the silent host have been answered. */
  async function sendAll(
    sends: readonly (() => Promise<{ status: number; headers: Headers; body: unknown }>)[],
    held = PLACES,
  ) {
    const answers: Awaited<ReturnType<(typeof sends)[number]>>[] = []
    const sent = sends.map((send) => send().then((answer) => answers.push(answer)))
    await waitUntil(async () => (answers.length >= sends.length - held ? true : null))
    return {
      answers,
      async end() {
        await waitUntil(async () => {
          opened.silent.release()
          return answers.length === sends.length ? true : null
        })
        await Promise.all(sent)
      },
    }
  }
  const isRefused = ({ status, headers, body }: { status: number; headers: Headers; body: unknown }) =>
    status === 429 ? Number(headers.get('retry-after')) > 0 : JSON.stringify(body).includes('RATE_LIMITED')

  it('are those of the table that say so', () => {
    expect(namesOf(TABLE).sort()).to.deep.equal(Object.keys(opened.requests).sort())
  })

  it('leave room for others, whatever one account does with many keys from many networks', async () => {
    const { scene, silent, silentAgent } = opened
    const eve = await createOrganisation(scene.baseUrl)
    const { accessToken, organizationId } = eve
    const svceId = await registerEndpoint(scene.baseUrl, eve.apiKey)
    const webhook = { bearer: eve.apiKey, body: { url: `${silent.url}/eve` } }
    await scene.call('POST', `/api/endpoints/${svceId}/webhook`, webhook)
    const attack = []
    for (let nth = 0; nth < 90; nth += 1) {
      const body = { name: `key ${nth}`, organizationId }
      const { key: bearer } = (await scene.call('POST', '/api/api-keys', { bearer: accessToken, body })).body
      const headers = { 'x-forwarded-for': `198.51.${nth}.1` }
      attack.push(() => scene.call('POST', `/api/endpoints/${svceId}/test-webhook`, { bearer, headers }))
      const asked = { agentId: await silentAgent(), counterpartyId: svceId }
      const request = { bearer, headers, body: asked }
      attack.push(() => scene.call('POST', '/api/agents/verify-access', request))
    }
    const waiting = await sendAll(attack, 2 * PLACES)
    // All come at once, so the load gate refuses some.
    const isTurnedAway = waiting.answers.map((answer) => answer.status === 503 || isRefused(answer))
    expect(new Set(isTurnedAway)).to.deep.equal(new Set([true]))
    const { open } = silent.count
    expect(open).to.equal(2 * PLACES)
    const headers = { 'x-forwarded-for': '203.0.113.1' }
    const { squatted } = opened
    const test = scene.call('POST', `/api/endpoints/${scene.svceId}/test-webhook`, {
      ...{ bearer: scene.shop.apiKey, headers },
    })
    await waitUntil(async () => (silent.count.open > open ? true : null))
    const bearer = squatted.owner.apiKey
    const body = { counterpartyId: squatted.svceId }
    const verified = await scene.call('POST', '/api/agents/verify-access', { bearer, headers, body })
    expect(verified.status).to.equal(200)
    await waiting.end()
    expect((await test).status).to.equal(200)
  })

  for (const name of namesOf(TABLE)) {
    it(`have few places for one person: ${name}`, async () => {
      const prepare = (opened.requests as Record<string, (typeof opened.requests)['POST /api/endpoints']>)[
        name
      ]
      if (prepare === undefined) throw new Error(`no requests for ${name}`)
      const send = await prepare()
      const waiting = await sendAll(Array.from({ length: PLACES + 3 }, () => send))
      expect(waiting.answers.map(isRefused)).to.deep.equal([true, true, true])
      await waiting.end()
      expect(waiting.answers.filter(isRefused)).to.have.length(3)
    })
  }
})
