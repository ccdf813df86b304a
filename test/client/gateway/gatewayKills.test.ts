import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createPresenter, type Verified } from '@svc/client'
import { gateway } from '@svc/client/express'
import { gateway as fastifyGateway } from '@svc/client/fastify'
import { expect } from 'chai'
import express from 'express'
import Fastify from 'fastify'
import { createOrganisation, registerAgent, registerEndpoint } from '../../builders/participants.ts'
import { queryDatabase } from '../../harness/database/queryDatabase.ts'
import { listen } from '../../harness/peers/listen.ts'
import { createTemporaryFolder } from '../../harness/runner/createTemporaryFolder.ts'
import { findFreePort } from '../../harness/runner/findFreePort.ts'
import { waitUntil } from '../../harness/runner/waitUntil.ts'
import { type SpawnedService, spawnService } from '../../harness/service/spawnService.ts'

const CLIENTS = 8
const ROUTES = [{ pattern: '/admin/**', minAccessLevel: 'full' }]

type Served = { caller: string; status: number; retryAfter: string | null; code?: string; recordId?: string }
type Record = { recordId: string; eventType: string; eventData: string }

describe('the gateway in front of a service that is killed and restarted', () => {
  const folder = createTemporaryFolder()
  const rejections: unknown[] = []
  const noteRejection = (reason: unknown) => rejections.push(reason)
  const served: Served[] = []
  /** Record ids of the decisions for which a handler ran. */
  const handled: string[] = []
  const stops: (() => Promise<unknown>)[] = []
  let service: SpawnedService
  let servedByLateHosts: Served[]

  /** Opens a shop on Express and one on Fastify, as their owners would write them. */
  async function openHosts(options: { apiBaseUrl: string; apiKey: string; counterpartyId: string }) {
    const all = { ...options, warn: () => undefined }
    const serve = (req: object) => {
      const recordId = (req as Verified).verification.auditRecordId ?? 'none'
      handled.push(recordId)
      return { recordId }
    }
    const app = express()
    app.use(gateway(all))
    app.use((req, res) => void res.json(serve(req)))
    const { url, stop } = await listen(app)
    const fastify = Fastify()
    fastify.addHook('preHandler', fastifyGateway(all))
    fastify.get('/*', async (request) => serve(request))
    stops.push(stop, () => fastify.close())
    return [url, await fastify.listen({ host: '127.0.0.1', port: 0 })]
  }

  function callersOf(svcId: string) {
    const present = (purpose: string) => createPresenter({ svcId, verifyUrl: 'https://svc.test', purpose })
    const callers: { [caller: string]: (url: string) => Promise<Response> } = {
      'within its mandate': (url) => present('shopping:buy').fetch(`${url}/orders`),
      'outside its mandate': (url) => present('gambling:bet').fetch(`${url}/orders`),
      'below the level of the route': (url) => present('shopping:buy').fetch(`${url}/admin/users`),
      'without identity': (url) => fetch(`${url}/orders`),
    }
    return async (caller: string, url: string): Promise<Served> => {
      const response = await callers[caller]?.(url)
      if (response === undefined) throw new Error(`unknown caller ${caller}`)
      const retryAfter = response.headers.get('retry-after')
      return { caller, status: response.status, retryAfter, ...((await response.json()) as object) }
    }
  }

  const countOf = (status: number) => served.filter((one) => one.status === status).length
  const reaches = (status: number, count: number) =>
    waitUntil(async () => (countOf(status) >= count ? true : null))

  before(async () => {
    process.on('unhandledRejection', noteRejection)
    const settings = {
      DATA_DIR: folder.path,
      REGISTRATION_FILES_DIR: join(folder.path, 'registration-files'),
      PORT: String(await findFreePort()),
      CHAIN_PORT: String(await findFreePort()),
      VERIFY_RATE_PER_MINUTE: '10000000',
      API_RATE_PER_MINUTE: '100000',
      LOG_LEVEL: 'warn',
    }
    service = await spawnService(settings)
    const { apiKey } = await createOrganisation(service.baseUrl)
    const counterpartyId = await registerEndpoint(service.baseUrl, apiKey, { routes: ROUTES })
    const { svcId } = await registerAgent(service.baseUrl, {
      pdlss: { purpose: { categories: ['shopping'] } },
    })
    const options = { apiBaseUrl: `${service.baseUrl}/api`, apiKey, counterpartyId }
    const urls = await openHosts(options)
    const ask = callersOf(svcId)
    const all = [
      'within its mandate',
      'outside its mandate',
      'below the level of the route',
      'without identity',
    ]
    let isOver = false
    const client = async (_: unknown, index: number) => {
      for (let turn = index; !isOver; turn += 1) {
        const answer = await ask(all[turn % all.length] ?? '', urls[index % urls.length] ?? '')
        served.push(answer)
        // Leaves processor time to the service that is starting.
        if (answer.status === 503) await pause(100)
      }
    }
    const clients = Promise.all(Array.from({ length: CLIENTS }, client))
    await reaches(200, 100)
    await service.end('SIGKILL')
    await reaches(503, 40)
    const late = await openHosts(options)
    servedByLateHosts = await Promise.all(late.flatMap((url) => all.map((caller) => ask(caller, url))))
    service = await spawnService(settings)
    await reaches(200, countOf(200) + 100)
    isOver = true
    await clients
    for (const url of late) for (const caller of all) servedByLateHosts.push(await ask(caller, url))
  })
  after(async () => {
    process.off('unhandledRejection', noteRejection)
    for (const stop of stops) await stop()
    await service?.end('SIGKILL')
    folder.remove()
  })

  it('runs a handler once for each request that passes, each with a grant of its own in the audit log', async () => {
    const databaseFile = join(folder.path, 'svc.sqlite')
    const records = await queryDatabase<Record>(
      { databaseUrl: undefined, databaseFile },
      'SELECT record_id AS recordId, event_type AS eventType, event_data AS eventData FROM audit_records',
      [],
    )
    const granted = records.filter(({ eventData }) => JSON.parse(eventData).recommendation === 'grant')
    const known = new Set(granted.map(({ recordId }) => recordId))
    const passed = [...served, ...servedByLateHosts].flatMap(({ status, recordId }) =>
      status === 200 ? [recordId] : [],
    )
    expect(handled.filter((recordId) => !known.has(recordId))).to.deep.equal([])
    expect(new Set(handled).size).to.equal(handled.length)
    expect(passed.toSorted()).to.deep.equal(handled.toSorted())
  })

  it('passes only the caller within its mandate', () => {
    const of = (status: number) => [
      ...new Set(served.filter((one) => one.status === status).map((one) => one.caller)),
    ]
    expect(of(200)).to.deep.equal(['within its mandate'])
    expect(of(403)).to.have.members([
      'outside its mandate',
      'below the level of the route',
      'without identity',
    ])
    expect(served.filter(({ status }) => ![200, 403, 503].includes(status))).to.deep.equal([])
  })

  it('responds with 503 verification_unavailable and Retry-After while the service is down', () => {
    const refused = served.filter(({ status }) => status === 503)
    expect(refused).to.have.length.above(39)
    for (const { code, retryAfter } of refused) {
      expect(code).to.equal('verification_unavailable')
      expect(retryAfter).to.match(/^[1-9]\d*$/)
    }
  })

  it('recovers without a restart, also if it was started during the outage', () => {
    const last = served.findLastIndex(({ status }) => status === 503)
    expect(served.slice(last).filter(({ status }) => status === 200)).to.have.length.above(50)
    expect(servedByLateHosts.map(({ status }) => status)).to.deep.equal([
      ...[503, 503, 503, 503, 503, 503, 503, 503],
      ...[200, 403, 403, 403, 200, 403, 403, 403],
    ])
  })

  it('leaves no unhandled rejection, which would terminate the host', () => {
    expect(rejections).to.deep.equal([])
  })
})
